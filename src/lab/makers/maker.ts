import {
  BYTES_PER_TOKEN,
  ModelCallError,
  type Prompts,
  type Question,
  renderPrompt,
  type StageModel,
  type WorkCache,
} from '../../models/index.ts';
import { TesseraError, utf8Length } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, FailedAttempt, Making } from '../benchmark-set.ts';
import { type AskedModel, askedModel, type Forgetting } from './asked-model.ts';

export interface CallEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type Counts = Readonly<Record<string, number>>;

export interface Maker<Answers> {
  readonly step: string;
  /** Raise it if the output changes. */
  readonly version: number;
  readonly options: Making['options'];
  expected(): CallEstimate;
  /** Asks all questions. Must cope with missing answers: the estimate runs it on cached ones only. */
  ask(model: AskedModel): Promise<Answers>;
  build(answers: Answers): MadeSet | Promise<MadeSet>;
}

export interface MadeSet {
  /** Without the record of this step; null if nothing is usable. */
  readonly set: BenchmarkSet | null;
  readonly counts: Counts;
  readonly notes: readonly string[];
  readonly failedAttempts?: readonly FailedAttempt[] | undefined;
}

export class UnfitSetError extends TesseraError {
  readonly code = 'unfit-set';
}

export type AskedCase = BenchmarkCase & { readonly intent: string };

export function askedCases({ cases }: BenchmarkSet): AskedCase[] {
  return cases.flatMap((each) => (each.intent === undefined ? [] : [{ ...each, intent: each.intent }]));
}

export function countNotes(counts: Counts, texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    (counts[name] ?? 0) > 0 ? [`${text}: ${counts[name]}.`] : [],
  );
}

export function summed<Name extends string>(all: readonly Readonly<Record<Name, number>>[]): Record<Name, number>;
export function summed(all: readonly Counts[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

export type ExpectedCalls = readonly [calls: number, promptTokens: number, completionTokens: number];

export function totalCalls(kinds: readonly ExpectedCalls[]): CallEstimate {
  const total = (of: (kind: ExpectedCalls) => number) => Math.ceil(kinds.reduce((sum, kind) => sum + of(kind), 0));
  return {
    calls: total(([calls]) => calls),
    promptTokens: total(([calls, prompt]) => calls * prompt),
    completionTokens: total(([calls, , completion]) => calls * completion),
  };
}

export interface OpenCalls extends CallEstimate {
  readonly known: number;
}

/** Adds the step's estimate of follow-up calls to the open calls of a dry run on cached answers. */
export async function openCalls(
  maker: Maker<unknown>,
  model: StageModel,
  prompts: Prompts,
  cache: WorkCache,
  forgetting: Forgetting,
): Promise<OpenCalls> {
  let [open, promptTokens] = [0, 0];
  const count = async ({ prompt, values }: Question): Promise<never> => {
    open++;
    const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
    promptTokens += Math.ceil(bytes / BYTES_PER_TOKEN);
    throw new ModelCallError('malformed', 'was not asked', undefined, { isFatal: false });
  };
  const standIn = { ask: count, askFor: count, weigh: count };
  const asked = askedModel(model, prompts, cache, { ...forgetting, standIn });
  await maker.ask(asked);
  const { known } = asked.counts();
  if (open === 0) return { calls: 0, promptTokens: 0, completionTokens: 0, known };
  const expected = maker.expected();
  const calls = Math.max(open, expected.calls - known);
  const share = expected.calls === 0 ? 0 : calls / expected.calls;
  return {
    calls,
    promptTokens: Math.max(promptTokens, Math.round(share * expected.promptTokens)),
    completionTokens: Math.round(share * expected.completionTokens),
    known,
  };
}
