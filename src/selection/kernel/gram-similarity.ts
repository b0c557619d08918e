import { clipSimilarity, type Similarity } from './similarity.ts';

const LENGTH = 4;

/** The distinct character 4-grams of a text's words, each word in lower case with a space on both sides. */
export function grams(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}_']+/gu) ?? []) {
    const padded = ` ${word} `;
    for (let at = 0; at <= Math.max(0, padded.length - LENGTH); at++) found.add(padded.slice(at, at + LENGTH));
  }
  return found;
}

/**
 * Cosine of the texts' sets of character 4-grams, each gram weighted log((n + 1) / (df + 1)): what the wording shares,
 * whatever an encoder makes of it, in any script that puts spaces between words.
 *
 * Cost: a row costs the sum of the document frequencies of its grams.
 */
export function gramSimilarity(texts: readonly string[]): Similarity {
  const n = texts.length;
  const postings = new Map<string, number[]>();
  const sets = texts.map(grams);
  sets.forEach((set, i) => {
    for (const gram of set) {
      const list = postings.get(gram);
      if (list === undefined) postings.set(gram, [i]);
      else list.push(i);
    }
  });
  const weight = (gram: string): number => Math.log((n + 1) / ((postings.get(gram)?.length ?? 0) + 1)) ** 2;
  const lengths = sets.map((set) => {
    let sum = 0;
    for (const gram of set) sum += weight(gram);
    return Math.sqrt(sum);
  });

  async function rows(indices: readonly number[]): Promise<Float32Array> {
    const out = new Float32Array(indices.length * n);
    indices.forEach((i, r) => {
      const row = new Float64Array(n);
      for (const gram of sets[i]) {
        const w = weight(gram);
        for (const j of postings.get(gram) ?? []) row[j] += w;
      }
      for (let j = 0; j < n; j++) {
        const norm = lengths[i] * lengths[j];
        out[r * n + j] = i === j ? 1 : norm === 0 ? 0 : clipSimilarity(row[j] / norm);
      }
    });
    return out;
  }

  return { n, rows, matrix: () => rows(Array.from({ length: n }, (_, i) => i)) };
}
