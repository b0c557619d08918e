import { type DigestDeps, UnusableOptionError } from '../digest/index.ts';
import type { CallUsage } from '../models/index.ts';
import { embeddedJudge } from './embedded/embedded-judge.ts';
import type { Judge, JudgingOptions } from './judge.ts';
import type { EvaluatedDigest } from './metric.ts';
import { type EvaluationAnswer, type EvaluationOrder, type EvaluationRequest, metricOf } from './metrics.ts';
import { modelJudge } from './model/model-judge.ts';
import type { JudgeRequest } from './shapes.ts';

/**
 * Reads a digest that was made before.
 *
 * @throws TesseraError if there is none with this id, or it cannot be scored
 */
export type ReadEvaluatedDigest = (id: string) => Promise<EvaluatedDigest>;

/** For callers that keep no digests. */
const noDigest: ReadEvaluatedDigest = async () => {
  throw new UnusableOptionError('/digest', 'No digests are kept here: send the text and the documents.');
};

/**
 * Puts what a digest says, and the documents that it was made from, in the place of the digest; documents that the request
 * gives itself stay. Splits a text that stands in the place of sentences or bullets.
 *
 * @param read reads the digest that an order names; by default none can be named
 * @throws TesseraError if there is no such digest
 * @throws UnusableOptionError for neither or both of the text and a digest, for a digest without an answer or whose texts are
 *   gone and needed, for insights or sources of documents that are none of those given, and for sources without a text
 * @throws InvalidEvaluationError for a marker of a text that stands for no document
 */
export async function resolveRequest(
  order: EvaluationOrder,
  read: ReadEvaluatedDigest = noDigest,
): Promise<EvaluationRequest> {
  const metric = metricOf(order.metric);
  return metric.resolve(order, await digestOf(order, metric.text, read));
}

async function digestOf(
  order: EvaluationOrder,
  field: string,
  read: ReadEvaluatedDigest,
): Promise<EvaluatedDigest | null> {
  if (order.digest === undefined) return null;
  if (Reflect.get(order, field) === undefined) return read(order.digest);
  throw new UnusableOptionError('/digest', `cannot be combined with "${field}"`);
}

/**
 * Refuses a request that its metric cannot score, without asking a judge.
 *
 * @throws InvalidEvaluationError
 */
export function checkEvaluation(request: EvaluationRequest): void {
  metricOf(request.metric).check(request);
}

interface EvaluateOptions extends JudgingOptions {
  /** Told how many verdicts could not be read and credit nothing, if there are any. */
  readonly onUnreadable?: ((verdicts: number) => void) | undefined;
  /** Told what was spent on an evaluation that failed. */
  readonly onFailed?: ((usage: CallUsage) => void) | undefined;
}

/**
 * Scores a digest, ours or another's, by one of the published measures.
 *
 * @throws InvalidEvaluationError for what cannot be scored; UnusableOptionError if the judge lacks what it needs; ModelCallError if the language model fails
 */
export async function evaluate(
  request: EvaluationRequest,
  deps: DigestDeps,
  { onFailed, onUnreadable, ...judging }: EvaluateOptions = {},
): Promise<EvaluationAnswer> {
  const metric = metricOf(request.metric);
  metric.check(request);
  const judge = judgeOf(request, deps, judging);
  try {
    const scored = await metric.score(request, judge, deps.engine);
    const unreadable = judge.unreadable?.() ?? 0;
    if (unreadable > 0) onUnreadable?.(unreadable);
    const warnings = [...(metric.warnings?.(request) ?? []), ...judge.warnings()];
    return { ...scored, judge: judge.record(), usage: judge.usage(), warnings };
  } catch (failure) {
    onFailed?.(judge.usage());
    throw failure;
  }
}

/**
 * The judge that a request names: the embedded one by default.
 *
 * @throws UnusableOptionError if it lacks what it needs
 */
export function judgeOf(request: JudgeRequest, deps: DigestDeps, options?: JudgingOptions): Judge {
  return request.judge === 'llm' ? modelJudge(request, deps, options) : embeddedJudge(request, deps);
}
