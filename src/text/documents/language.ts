import { francAll } from 'franc-min';

const SAMPLE = 1000;
const WINDOW = 4000;
const UNWORDED = /\S*(?:[\d_@#/\\<>{}=]|\w\.\w)\S*/gu;
/** Number of letters from which the best guess is accepted. */
const ENOUGH = 100;
/** Minimum number of Latin letters; "How to bake bread?" would be Lingala. */
const MIN_LATIN = 25;
/** Maximum score of the second guess for a shorter text. */
const CLEAR = 0.8;

/** The ISO 639-3 code of a text's language; `und` if the text is too short to tell. */
export function language(text: string): string {
  const sample = text.slice(0, WINDOW).replace(UNWORDED, ' ').slice(0, SAMPLE);
  const [[best], second] = francAll(sample);
  // A table repeats its few words, which say little however often they stand.
  const words = [...new Set(sample.toLowerCase().match(/[\p{L}\p{M}]+/gu))].join(' ');
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  const latin = words.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin < MIN_LATIN && 2 * latin > letters) return 'und';
  if (letters >= ENOUGH || second === undefined || second[1] <= CLEAR) return best;
  return 'und';
}

const SHORT = 60;
const LIKELY = 0.65;

const SHARED = 0.5;

/** The language of a short text: that of the others (ISO 639-3, or `und`) if that is likely, or if it shares most of their words. */
export function languageAmong(text: string, expected: string, others: readonly string[]): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (expected === 'und' || letters >= SHORT) return language(text);
  const score = francAll(text.slice(0, SAMPLE)).find(([code]) => code === expected)?.[1] ?? 0;
  return score >= LIKELY || sharedWords(text, others) >= SHARED ? expected : language(text);
}

function sharedWords(text: string, others: readonly string[]): number {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const shared = words.filter((word) => {
    const used = new RegExp(`(?<![\\p{L}\\p{M}])${word}(?![\\p{L}\\p{M}])`, 'iu');
    return others.some((other) => used.test(other));
  });
  return words.length === 0 ? 0 : shared.length / words.length;
}

export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}
