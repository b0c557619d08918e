import type { EvaluationAnswer, EvaluationRequest } from '../contract/index.ts';
import type { DigestParts } from '../digest/index.ts';
import type { CallUsage } from '../models/index.ts';
import { scoreReport } from './argue/score-report.ts';
import { checkEvaluation } from './check-evaluation.ts';
import type { JudgingOptions } from './judge.ts';
import { judgeOf } from './judge-of.ts';
import { scoreAnswer } from './key-point-recall/score-answer.ts';
import { scoreSources } from './source-coverage/score-sources.ts';
import { markerWarnings } from './summhay/marker-warnings.ts';
import { scoreBullets } from './summhay/score-bullets.ts';

interface EvaluateOptions extends JudgingOptions {
  /** Told how many verdicts could not be read and credit nothing, where there are any. */
  readonly onUnreadable?: ((verdicts: number) => void) | undefined;
  /** Told what was spent on an evaluation that failed. */
  readonly onFailed?: ((usage: CallUsage) => void) | undefined;
}

/**
 * Scores a digest, ours or another's, by one of the published measures.
 *
 * @throws InvalidEvaluationError for what cannot be scored; UnusableOptionError where the judge lacks what it needs; ModelCallError where the language model fails
 */
export async function evaluate(
  request: EvaluationRequest,
  parts: DigestParts,
  { onFailed, onUnreadable, ...judging }: EvaluateOptions = {},
): Promise<EvaluationAnswer> {
  checkEvaluation(request);
  const judge = judgeOf(request, parts, judging);
  const score = async () => {
    switch (request.metric) {
      case 'summhay':
        return { metric: request.metric, ...(await scoreBullets(request, judge)) };
      case 'key-point-recall':
        return { metric: request.metric, ...(await scoreAnswer(request, judge, parts.engine)) };
      case 'argue':
        return { metric: request.metric, ...(await scoreReport(request, judge)) };
      case 'source-coverage':
        return { metric: request.metric, ...(await scoreSources(request, judge)) };
    }
  };
  try {
    const scored = await score();
    const unreadable = judge.unreadable?.() ?? 0;
    if (unreadable > 0) onUnreadable?.(unreadable);
    const own = request.metric === 'summhay' ? markerWarnings(request) : [];
    return { ...scored, judge: judge.record(), usage: judge.usage(), warnings: [...own, ...judge.warnings()] };
  } catch (failure) {
    onFailed?.(judge.usage());
    throw failure;
  }
}
