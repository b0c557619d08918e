import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What ends a line or a page. */
const BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/**
 * What a reader of a document does not see, but a model reads: control, tag, zero-width and direction characters, and half
 * characters. Joiners and variation selectors are looked at below, where they stand.
 */
const UNSEEN =
  /(?!\n|\t|\u200c|\u200d|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Selectors choose the form of emoji, symbols, digits in a box, Han and Mongolian letters; elsewhere they can carry text. */
const LOOSE_SELECTOR =
  /(?<![\p{Emoji}\p{Symbol}\p{Script=Han}])[\ufe00-\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<!\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;
/** Scripts whose words have joiners. */
const JOINED = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Myanmar', 'Khmer', 'Tibetan'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
/** Joiners do work after a letter of such a script, and within emoji; elsewhere they hide. */
const LOOSE_JOINER = new RegExp(
  `(?<![${JOINED}]|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f](?=\\u200d\\p{Extended_Pictographic}))[\\u200c\\u200d]`,
  'gu',
);

/** A text without the characters that only a model would read; line breaks and tabs stay. */
export function withoutUnseen(text: string): string {
  return text.replace(BREAK, '\n').replace(UNSEEN, '').replace(LOOSE_SELECTOR, '').replace(LOOSE_JOINER, '');
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
