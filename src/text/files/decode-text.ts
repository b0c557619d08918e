import { analyse } from 'chardet';
import { UnreadableFileError } from '../errors.ts';

/** Bytes at the start of a web page that may name its encoding, and of a text that tell it. */
const HEAD = 2048;
const SAMPLE = 60_000;
/** Of chardet, in percent: below it, short texts in Windows-1252 pass for Chinese and Japanese. */
const MIN_CONFIDENCE = 25;
/** Bytes that no text holds: https://mimesniff.spec.whatwg.org/#binary-data-byte */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/**
 * The text of a file: by its byte order mark, else as UTF-8, else by the encoding that its sender or the web page names, else by that of its
 * bytes if they are unambiguous, else as Windows-1252.
 * @param charset the encoding that the sender names
 * @throws UnreadableFileError if the bytes are not text
 */
export function decodeText(bytes: Uint8Array, isMarkup: boolean, charset?: string): string {
  const text = decode(bytes, isMarkup, charset);
  if (text.includes('\0')) throw new UnreadableFileError('This is not a text file, despite its name.');
  return text;
}

function decode(bytes: Uint8Array, isMarkup: boolean, charset: string | undefined): string {
  const label = markOf(bytes);
  if (label !== null) return new TextDecoder(label).decode(bytes);
  const encoding = () => knownEncoding(charset) ?? (isMarkup ? namedEncoding(bytes) : null) ?? foundEncoding(bytes);
  return decodeStrictly(bytes) ?? decodeAs(encoding() ?? 'windows-1252', bytes);
}

/** As a stream, since Node 20 otherwise decodes Windows-1252 as Latin-1, and loses quotation marks. */
function decodeAs(label: string, bytes: Uint8Array): string {
  const decoder = new TextDecoder(label);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function namedEncoding(bytes: Uint8Array): string | null {
  return knownEncoding(/<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(latin(bytes, HEAD))?.[1]);
}

function foundEncoding(bytes: Uint8Array): string | null {
  const [found] = analyse(bytes.subarray(0, SAMPLE));
  return found !== undefined && found.confidence >= MIN_CONFIDENCE ? knownEncoding(found.name) : null;
}

function knownEncoding(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Whether the bytes may be a text in some encoding. */
export function isText(bytes: Uint8Array): boolean {
  return markOf(bytes) !== null || !BINARY.test(latin(bytes, SAMPLE));
}

/** The beginning, enough to recognise markup in any encoding that is read. */
export function openingOfText(bytes: Uint8Array): string {
  return new TextDecoder(markOf(bytes) ?? 'utf-8').decode(bytes.subarray(0, SAMPLE));
}

/** One character for each byte. */
export function latin(bytes: Uint8Array, most: number): string {
  return new TextDecoder('latin1').decode(bytes.subarray(0, most));
}
