import type { BenchmarkCase, Collection } from '../../../src/lab/benchmark-set.ts';
import fc from '../../support/seeded-fast-check.ts';

export function collectionOf(texts: readonly string[]): Collection {
  return { id: 'c', documents: texts.map((text, place) => ({ id: `d${place}`, text })) };
}

export function caseOf(fields: Partial<BenchmarkCase> = {}): BenchmarkCase {
  return { id: 'one', collection: 'c', intent: 'What was said of the river and the fox?', ...fields };
}

const word = fc.constantFrom('river', 'fox', 'dog', 'stone', 'the', 'Brücke', '東京', 'water', 'mill', '🦊');
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `${words.join(' ')}.`);

/** Texts of some sentences, at times the same text twice. */
export const anyTexts = fc
  .array(
    fc.array(sentence, { maxLength: 8 }).map((sentences) => sentences.join(' ')),
    { minLength: 1, maxLength: 9 },
  )
  .chain((texts) => fc.boolean().map((isTwice) => (isTwice ? [...texts, texts[0]] : texts)));
