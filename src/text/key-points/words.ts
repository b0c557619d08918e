const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const WORDY = /[\p{L}\p{N}]/u;

/** The words of a text, punctuation alone not counted. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s\u2014\u2013]+/u).filter((word) => WORDY.test(word));
}

/** Length in words; scripts without spaces count two characters as one. */
export function countWords(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil(wide / 2) + (wide ? wordsOf(text.replace(WIDE, ' ')).length : wordsOf(text).length);
}

/** Lower-case letters and digits of a word, apostrophes kept straight, other marks dropped. */
export function bare(word: string): string {
  return word
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
