/** Bytes at the beginning in which a page may name its encoding. */
const HEAD = 2048;

/**
 * The text of a file: by its byte order mark, by what a page says of itself, else as UTF-8, and as Windows writes where it is
 * not that.
 *
 * @param isMarkup whether it may name its encoding
 * @returns null where the bytes are no text
 */
export function decodeText(bytes: Uint8Array, isMarkup = false): string | null {
  const text = decoded(bytes, isMarkup);
  return text.includes('\0') ? null : text;
}

/** Whether bytes are text beyond doubt: UTF-8, or UTF-16 with a byte order mark, without a NUL. */
export function isText(bytes: Uint8Array): boolean {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return !new TextDecoder(mark, { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

function decoded(bytes: Uint8Array, isMarkup: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder((isMarkup && namedIn(bytes)) || 'windows-1252').decode(bytes);
  }
}

/** The encoding that a page names, where it is one. */
function namedIn(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  const name = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  try {
    return name === undefined ? null : new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}
