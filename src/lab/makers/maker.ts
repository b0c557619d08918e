import {
  BYTES_PER_TOKEN,
  ModelCallError,
  type Prompts,
  type Question,
  renderPrompt,
  type StageModel,
  type WorkCache,
} from '../../models/index.ts';
import { type SourceDocument, TesseraError, utf8Length } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, Making } from '../benchmark-set.ts';
import { type AskedModel, type AskedModelOptions, askedModel } from './asked-model.ts';

export interface Maker {
  readonly step: string;
  /** Raise it if the output changes. */
  readonly version: number;
  readonly options: Making['options'];
  expected(contextTokens: number): readonly ExpectedCalls[];
  /**
   * Must cope with missing answers: the estimate runs it on cached ones only.
   * @returns the set without the record of this step; null if nothing is usable
   */
  make(model: AskedModel): Promise<BenchmarkSet | null>;
}

/** Calls of one kind, each with so many tokens. */
type ExpectedCalls = readonly [calls: number, promptTokens: number, completionTokens: number];

export class UnfitSetError extends TesseraError {
  readonly code = 'unfit-set';
}

type Documents = readonly SourceDocument[];

interface CaseMaker<Field extends 'keyPoints' | 'nuggets'> extends Pick<Maker, 'step' | 'version' | 'options'> {
  readonly field: Field;
  expected(documents: Documents, contextTokens: number, caseId: string): readonly ExpectedCalls[];
  make(
    intent: string,
    documents: Documents,
    model: AskedModel,
    caseId: string,
  ): Promise<NonNullable<BenchmarkCase[Field]>>;
}

/**
 * Makes a list of references for each case with an intent.
 * @throws UnfitSetError if no case has one
 */
export function caseMaker<Field extends 'keyPoints' | 'nuggets'>(
  set: BenchmarkSet,
  { field, expected, make, ...identity }: CaseMaker<Field>,
): Maker {
  const collections = new Map(set.collections.map(({ id, documents }) => [id, documents]));
  const cases = set.cases.flatMap(({ id, collection, intent }) =>
    intent === undefined ? [] : [{ id, intent, documents: collections.get(collection) ?? [] }],
  );
  if (cases.length === 0) throw new UnfitSetError(`No case of the set has an intent, which asks for ${identity.step}.`);
  return {
    ...identity,
    expected: (contextTokens) => cases.flatMap(({ id, documents }) => expected(documents, contextTokens, id)),
    async make(model) {
      const lists = await Promise.all(cases.map(({ id, intent, documents }) => make(intent, documents, model, id)));
      const made = new Map(cases.map(({ id }, place) => [id, lists[place].length === 0 ? undefined : lists[place]]));
      model.count('emptyCases', lists.filter((list) => list.length === 0).length);
      if (lists.every((list) => list.length === 0)) return null;
      const whole = set.cases.map((each) => (made.has(each.id) ? { ...each, [field]: made.get(each.id) } : each));
      return { ...set, cases: whole };
    },
  };
}

export interface CallEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface OpenCalls extends CallEstimate {
  readonly known: number;
}

/** Adds the step's estimate of follow-up calls to the open calls of a dry run on cached answers. */
export async function openCalls(
  maker: Maker,
  model: StageModel,
  prompts: Prompts,
  cache: WorkCache,
  forgetting: Pick<AskedModelOptions, 'restart' | 'retry'>,
): Promise<OpenCalls> {
  let [open, openTokens] = [0, 0];
  const count = async ({ prompt, values }: Question): Promise<never> => {
    open++;
    const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
    openTokens += Math.ceil(bytes / BYTES_PER_TOKEN);
    throw new ModelCallError('malformed', 'was not asked', undefined, { isFatal: false });
  };
  const trial = { ...model, ask: count, askFor: count, weigh: count };
  const asked = askedModel(trial, prompts, cache, { ...forgetting, isTrial: true });
  await maker.make(asked);
  const { known } = asked.calls();
  if (open === 0) return { calls: 0, promptTokens: 0, completionTokens: 0, known };
  const kinds = maker.expected(model.contextTokens);
  const total = (of: (kind: ExpectedCalls) => number) => Math.ceil(kinds.reduce((sum, kind) => sum + of(kind), 0));
  const expected = total(([calls]) => calls);
  const calls = Math.max(open, expected - known);
  const share = expected === 0 ? 0 : calls / expected;
  return {
    ...{ calls, known },
    promptTokens: Math.max(openTokens, Math.round(share * total(([each, tokens]) => each * tokens))),
    completionTokens: Math.round(share * total(([each, , tokens]) => each * tokens)),
  };
}
