import { francAll } from 'franc-min';

/** Characters that are looked at: more does not change the verdict. */
const SAMPLE = 1000;
/** Characters that the sample is taken from. */
const WINDOW = 4000;
/** Addresses, names of files and versions, hashes: in no language. */
const UNWORDED = /\S*(?:[\d_@#/\\<>{}=]|\w\.\w)\S*/gu;
/** Letters from which the best guess is taken as it is. */
const ENOUGH = 100;
/** Latin letters below which any guess is chance: "How to bake bread?" would be Lingala. Other scripts tell by themselves. */
const MIN_LATIN = 25;
/** Shorter texts count only where the next guess is this much worse. */
const CLEAR = 0.8;

/** The ISO 639-3 code of the language a text is in; `und` where it is too short to tell. */
export function language(text: string): string {
  const sample = text.slice(0, WINDOW).replace(UNWORDED, ' ').slice(0, SAMPLE);
  const [[best], second] = francAll(sample);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin < MIN_LATIN && 2 * latin > letters) return 'und';
  if (letters >= ENOUGH || second === undefined || second[1] <= CLEAR) return best;
  return 'und';
}

/** Letters below which a clear guess may be chance all the same. */
const SHORT = 60;
/** How near a language has to come to the best guess to be believed of a short text whose surroundings are in it. */
const LIKELY = 0.65;

/** The share of its words that a text has in common with others of its language. */
const SHARED = 0.5;

/**
 * The language of a text that comes with others: theirs, where the text is too short to be sure and theirs is a likely guess
 * ("How many days may I work from Spain?" is Malagasy by its letters), or where they use most of its words.
 *
 * @param expected ISO 639-3 code of theirs, or `und`
 */
export function languageAmong(text: string, expected: string, others: readonly string[]): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (expected === 'und' || letters >= SHORT) return language(text);
  const score = francAll(text.slice(0, SAMPLE)).find(([code]) => code === expected)?.[1] ?? 0;
  return score >= LIKELY || sharedWords(text, others) >= SHARED ? expected : language(text);
}

/** The share of a text's words that one of the others uses. */
function sharedWords(text: string, others: readonly string[]): number {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const shared = words.filter((word) => {
    const used = new RegExp(`(?<![\\p{L}\\p{M}])${word}(?![\\p{L}\\p{M}])`, 'iu');
    return others.some((other) => used.test(other));
  });
  return words.length === 0 ? 0 : shared.length / words.length;
}

/** The English name of a language by its ISO 639-3 code. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}
