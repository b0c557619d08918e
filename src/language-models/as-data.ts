import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What a reader of a document does not see, but a model reads: control, tag, zero-width and direction characters. */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Joiners do work in words of many scripts, and hide nothing there; elsewhere they go. */
const LOOSE_JOINER =
  /(?<!\p{L}|\p{M}|\p{Emoji_Presentation}|\ufe0f)[\u200c\u200d]|[\u200c\u200d](?!\p{L}|\p{M}|\p{Emoji_Presentation})/gu;

/** A text without the characters that only a model would read; line breaks and tabs stay. */
export function withoutUnseen(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replace(LOOSE_JOINER, '');
}

/**
 * Wraps foreign text for a prompt: cleaned, between two lines that name what it is and carry a key made of the text's
 * own hash, which the text therefore cannot contain. The same text is always wrapped alike.
 *
 * @param kind what it is, one word: `document`, `intent`
 * @param number its number, where the model is to name it
 */
export function asData(kind: string, text: string, number?: number): string {
  const clean = withoutUnseen(text);
  const key = bytesToHex(sha256(utf8ToBytes(clean))).slice(0, 16);
  const name = number === undefined ? kind : `${kind} ${number}`;
  return `<<<BEGIN ${name} ${key}>>>\n${clean}\n<<<END ${name} ${key}>>>`;
}
