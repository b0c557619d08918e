import { UnusableOptionError } from '../digest/index.ts';
import { embeddedJudge } from './embedded/embedded-judge.ts';
import type { EvaluationDeps, Judge, JudgingOptions } from './judge.ts';
import type { EvaluatedDigest } from './metric.ts';
import {
  type AnyMetric,
  type EvaluationAnswer,
  type EvaluationOrder,
  type EvaluationRequest,
  metricOf,
} from './metrics.ts';
import { modelJudge } from './model/model-judge.ts';
import type { Agreement, JudgeRecord, JudgeRequest } from './shapes.ts';

/**
 * Reads a stored digest.
 * @throws TesseraError if there is none with this id, or it cannot be scored
 */
export type ReadEvaluatedDigest = (id: string) => Promise<EvaluatedDigest>;

const noDigest: ReadEvaluatedDigest = async () => {
  throw new UnusableOptionError('/digest', 'No digests are kept here: send the text and the documents.');
};

/**
 * Replaces a digest id by the digest's text and documents; keeps documents of the request. Splits a text into sentences
 * or bullets.
 * @param read reads the named digest; by default none exists
 * @throws TesseraError if there is no such digest
 * @throws UnusableOptionError for neither or both of text and digest; for a digest without an answer or without texts
 * that are needed; for unknown documents in insights or sources; for sources without a text
 * @throws InvalidEvaluationError for a marker that names no document
 */
export async function resolveRequest(
  order: EvaluationOrder,
  read: ReadEvaluatedDigest = noDigest,
): Promise<EvaluationRequest> {
  const metric = metricOf(order.metric);
  if (order.digest === undefined) return metric.resolve(order, null);
  if (Reflect.get(order, metric.text) !== undefined) {
    throw new UnusableOptionError('/digest', `cannot be combined with "${metric.text}"`);
  }
  return metric.resolve(order, await read(order.digest));
}

/** Known of the embedded judge; null of a language model. */
export function agreementOf(
  { embedded }: Pick<AnyMetric, 'embedded'>,
  { name }: Pick<JudgeRecord, 'name'>,
): Agreement | null {
  return name === 'embedded' ? embedded : null;
}

/** Below "fair" (Landis & Koch 1977), verdicts agree with people's by little more than chance. */
const MIN_KAPPA = 0.2;

/** Why a judge does not score a metric; null if it does. */
export function refusalOf({ name, title, embedded: { kappa, items } }: AnyMetric, judge: JudgeRequest['judge']) {
  if (judge === 'llm' || kappa >= MIN_KAPPA) return null;
  return `The embedded judge does not score "${name}" (${title}): its verdicts hardly agree with people's (kappa ${kappa} of ${items}). Use "llm".`;
}

/**
 * Rejects a request that its metric or its judge cannot score, without calling a judge.
 * @throws InvalidEvaluationError; UnusableOptionError for a judge that agrees too little with people
 */
export function checkEvaluation(request: EvaluationRequest): void {
  const metric = metricOf(request.metric);
  const refusal = refusalOf(metric, judgeNameOf(request));
  if (refusal !== null) throw new UnusableOptionError('/judge', refusal);
  metric.check(request);
}

interface EvaluateOptions extends JudgingOptions {
  /** Called with the number of unreadable verdicts, which earn no credit, if there are any. */
  readonly onUnreadable?: ((verdicts: number) => void) | undefined;
}

/**
 * Scores a digest or another text by one of the published metrics.
 * @throws InvalidEvaluationError for input that cannot be scored; UnusableOptionError if the judge lacks something;
 * ModelCallError if the language model fails
 */
export async function evaluate(
  request: EvaluationRequest,
  deps: EvaluationDeps,
  { onUnreadable, ...judging }: EvaluateOptions = {},
): Promise<EvaluationAnswer> {
  checkEvaluation(request);
  const metric = metricOf(request.metric);
  const judge = judgeOf(request, deps, judging);
  const scored = await metric.score(request, judge);
  const unreadable = judge.unreadable?.() ?? 0;
  if (unreadable > 0) onUnreadable?.(unreadable);
  const record = judge.record();
  const agreement = agreementOf(metric, record);
  return { ...scored, judge: { ...record, agreement }, usage: judge.usage(), warnings: judge.warnings() };
}

/**
 * The judge of a request; the embedded one by default.
 * @throws UnusableOptionError if it lacks something it needs
 */
export function judgeOf(request: JudgeRequest, deps: EvaluationDeps, options?: JudgingOptions): Judge {
  return judgeNameOf(request) === 'llm' ? modelJudge(request, deps, options) : embeddedJudge(request, deps);
}

function judgeNameOf({ judge, engine }: JudgeRequest): JudgeRecord['name'] {
  return judge ?? (typeof engine === 'string' ? engine : 'embedded');
}

/** Evaluates where it holds nobody up. */
export interface Evaluations {
  /**
   * @param options how to read the caller's digests; what ends it
   * @throws OverdueError once it has computed for too long; WorkCancelledError or an AbortError after an abort; any error of `evaluate`
   */
  evaluate(
    order: EvaluationOrder,
    deps: EvaluationDeps,
    options?: Pick<JudgingOptions, 'signal'> & { readonly readDigest?: ReadEvaluatedDigest | undefined },
  ): Promise<EvaluationAnswer>;
}

export const EVALUATIONS_HERE: Evaluations = {
  evaluate: async (order, deps, given) => evaluate(await resolveRequest(order, given?.readDigest), deps, given),
};
