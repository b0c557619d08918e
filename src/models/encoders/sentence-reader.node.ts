import { join } from 'node:path';
import { loadModel, SHIPPED_MODELS } from './model-folder.node.ts';
import { type Passage, readingWindows, type SentenceReader } from './sentence-reader.ts';

/** Names the shipped weights and their processing; recorded in digests. */
export const READER_ID = 'reader/4';

/** Max tokens of a window and its parts in training (models/README.md). */
const MAX = { window: 208, question: 48, title: 16, opening: 32, sentence: 72 };

/**
 * The shipped MiniLM reader. A sentence's score is logit 0 over its tokens and the next separator, weighted by the softmax of logit 1;
 * the mean over overlapping windows.
 * @throws if the files are missing, or onnxruntime has no binary for this machine
 */
export async function shippedReader(folder: string = join(SHIPPED_MODELS, 'reader')): Promise<SentenceReader> {
  const { Tensor } = await import('@xenova/transformers');
  const { model, tokenizer } = await loadModel('AutoModelForTokenClassification', folder, 'q8');
  const separator = BigInt(tokenizer.sep_token_id ?? 0);
  const [start = 0n, stop = 0n] = tokenizer.convert_tokens_to_ids(['[CLS]', '.']).map(BigInt);
  // The library does not type its tensors: ids are 64-bit integers, logits 32-bit floats.
  const idsOf = (text: string, most: number): bigint[] =>
    Array.from(tokenizer(text, { add_special_tokens: false }).input_ids.data as BigInt64Array).slice(0, most);

  async function logitsOf(ids: readonly bigint[], questionLength: number): Promise<Float32Array> {
    const shape = [1, ids.length];
    const types = ids.map((_, at) => (at < questionLength ? 0n : 1n));
    const tensor = (values: readonly bigint[]) => new Tensor('int64', BigInt64Array.from(values), shape);
    const { logits } = await model({
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1n)),
      token_type_ids: tensor(types),
    });
    return logits.data as Float32Array;
  }

  async function readPassage(question: readonly bigint[], { title, opening, lines }: Passage): Promise<Float64Array> {
    const head = [start, ...question, separator];
    const named = title === null ? [] : [...idsOf(title, MAX.title), stop];
    const under = [...named, ...idsOf(opening, MAX.opening)];
    const before = under.length === 0 ? [] : [...under, separator];
    const bodies = lines.map(({ text }) => [...idsOf(text, MAX.sentence), separator]);
    const lengths = bodies.map((body) => body.length);
    const sums = new Float64Array(lines.length);
    const counts = new Float64Array(lines.length);
    for (const { from, to } of readingWindows(lengths, MAX.window - head.length - before.length)) {
      const logits = await logitsOf([...head, ...before, ...bodies.slice(from, to).flat()], head.length);
      let at = head.length + before.length;
      for (let i = from; i < to; i++) {
        sums[i] += sentenceScore(logits, at, lengths[i]);
        counts[i]++;
        at += lengths[i];
      }
    }
    return sums.map((sum, i) => sum / counts[i]).filter((_, i) => !lines[i].isHeading);
  }

  return {
    id: READER_ID,
    async read(question, passages) {
      const asked = idsOf(question, MAX.question);
      const scores: Float64Array[] = [];
      for (const passage of passages) scores.push(await readPassage(asked, passage));
      return scores;
    },
  };
}

function sentenceScore(logits: Float32Array, from: number, length: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let t = from; t < from + length; t++) largest = Math.max(largest, logits[2 * t + 1]);
  let sum = 0;
  let total = 0;
  for (let t = from; t < from + length; t++) {
    const weight = Math.exp(logits[2 * t + 1] - largest);
    sum += weight * logits[2 * t];
    total += weight;
  }
  return sum / total;
}
