import { escapeMarkers } from '../text/index.ts';

/**
 * Makes one line of foreign text that can stand inside a summary: white space is single spaces, control and direction
 * characters are gone (a joiner inside a word stays: Persian and Hindi need it), and what looks like a citation marker
 * of ours is put in round brackets.
 */
export function plainText(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '');
  return escapeMarkers(line).replace(/ +/gu, ' ').trim();
}
