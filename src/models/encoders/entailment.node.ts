import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { EntailmentModel, EntailmentQuestion } from './encoder.ts';
import type { EntailmentSpec } from './encoder-specs.ts';
import { readMaxTokens } from './model-folder.node.ts';
import { readingWindows } from './sentence-reader.ts';
import { SESSION } from './transformers.node.ts';

/** Such models are trained on a few sentences and a claim; longer inputs are slow and unreliable. */
const MAX_TOKENS = 512;

export interface LocalEntailment {
  readonly models: string;
  readonly spec: EntailmentSpec;
}

interface EntailmentLabel {
  readonly at: number;
  readonly count: number;
}

const configSchema = z.object({
  architectures: z.array(z.string()),
  id2label: z.record(z.string().regex(/^\d+$/), z.string()),
});

/** The entailment label in a model's `config.json`, ignoring case. @returns the label, or the problem in a sentence */
export function readEntailmentLabel(models: string, model: string): EntailmentLabel | { readonly problem: string } {
  const file = `${model}/config.json`;
  let config: unknown;
  try {
    config = JSON.parse(readFileSync(join(models, file), 'utf8'));
  } catch {
    return { problem: `${file} cannot be read` };
  }
  const { success, data } = configSchema.safeParse(config);
  if (!success || !data.architectures.some((name) => name.endsWith('ForSequenceClassification'))) {
    return { problem: `${file} is not of a model for sequence classification with labels in "id2label"` };
  }
  const labels = Object.values(data.id2label);
  const isNumbered = labels.every((_, at) => data.id2label[at] !== undefined);
  const found = labels.flatMap((_, at) => (data.id2label[at]?.trim().toLowerCase() === 'entailment' ? [at] : []));
  if (!isNumbered || found.length !== 1 || labels.length < 2) {
    const there = labels.map((label) => `"${label}"`).join(', ') || 'none';
    return { problem: `${file} needs a label "entailment" beside others; its labels are ${there}` };
  }
  return { at: found[0], count: labels.length };
}

export function entailmentId({ spec: { model, dtype } }: LocalEntailment): string {
  return `entailment/${model}/${dtype}`;
}

/**
 * A local text classification model: softmax over premise and claim. One pair per call, since int8 scales span a batch.
 *
 * @throws if the model's files are missing or name no entailment label, or onnxruntime has no binary for this machine
 */
export async function entailmentModel(local: LocalEntailment): Promise<EntailmentModel> {
  const { AutoModelForSequenceClassification, AutoTokenizer, env } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  const { models, spec } = local;
  const found = readEntailmentLabel(models, spec.model);
  if ('problem' in found) throw new Error(found.problem);
  const label: EntailmentLabel = found;
  const most = Math.min(MAX_TOKENS, readMaxTokens(models, spec.model));
  const folder = resolve(models, spec.model);
  const [model, tokenizer] = await Promise.all([
    AutoModelForSequenceClassification.from_pretrained(folder, { dtype: spec.dtype, session_options: SESSION }),
    AutoTokenizer.from_pretrained(folder),
  ]);
  // Models that separate premise and claim by token type would get zeros from tokenizers by default.
  const pairOf = (premise: string, claim: string) =>
    tokenizer(premise, { text_pair: claim, return_token_type_ids: true });
  const lengthOf = (input: { input_ids: { dims: readonly number[] } }): number => input.input_ids.dims[1];
  const tokensIn = (text: string): number => lengthOf(tokenizer(text, { add_special_tokens: false }));

  async function probabilityOf(input: ReturnType<typeof pairOf>): Promise<number> {
    const { logits } = await model(input);
    // The library does not type its tensors: logits are 32-bit floats.
    const values = (logits.type === 'float32' ? logits : logits.to('float32')).data as Float32Array;
    if (values.length !== label.count || !values.every(Number.isFinite)) {
      throw new Error(`${spec.model} gives no ${label.count} logits, which its config.json has labels for`);
    }
    return softmaxAt(values, label.at);
  }

  /** The highest probability of any window; a window is split if its pieces tokenise to more than their sum. */
  async function surestOf(pieces: readonly string[], claim: string): Promise<number> {
    const input = pairOf(pieces.join(''), claim);
    if (lengthOf(input) <= most) return probabilityOf(input);
    if (pieces.length === 1) return 0;
    const middle = pieces.length >> 1;
    return Math.max(await surestOf(pieces.slice(0, middle), claim), await surestOf(pieces.slice(middle), claim));
  }

  async function answer({ claim, premises }: EntailmentQuestion): Promise<number> {
    const evidence = premises.filter((premise) => /\S/.test(premise));
    const own = tokensIn(claim);
    if (evidence.length === 0 || own === 0 || own > most / 2) return 0;
    for (const premise of evidence) {
      const input = pairOf(premise, claim);
      if (lengthOf(input) <= most) return probabilityOf(input);
    }
    const pieces = evidence[evidence.length - 1].match(PIECE) ?? [];
    const room = most - lengthOf(pairOf('', claim));
    let surest = 0;
    for (const { from, to } of readingWindows(pieces.map(tokensIn), room)) {
      surest = Math.max(surest, await surestOf(pieces.slice(from, to), claim));
    }
    return surest;
  }

  return {
    id: entailmentId(local),
    async entailment(questions) {
      const probabilities = new Float64Array(questions.length);
      for (const [q, question] of questions.entries()) probabilities[q] = await answer(question);
      return probabilities;
    },
  };
}

/** A word with its whitespace, or part of a long one: some scripts have no spaces. */
const PIECE = /\s*\S{1,16}\s*/gu;

function softmaxAt(logits: Float32Array, at: number): number {
  const largest = Math.max(...logits);
  return Math.exp(logits[at] - largest) / logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
}
