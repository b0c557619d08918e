import type { DigestParts } from '../digest/digest-parts.ts';
import type { EvaluationAnswer } from './answer.ts';
import { scoreReport } from './argue/score-report.ts';
import { judgeOf } from './judge-of.ts';
import { scoreAnswer } from './key-point-recall/score-answer.ts';
import type { EvaluationRequest } from './request.ts';
import { scoreSources } from './source-coverage/score-sources.ts';
import { scoreBullets } from './summhay/score-bullets.ts';

/**
 * Scores a digest, ours or another's, by one of the published measures.
 *
 * @throws UnusableOptionError where the judge lacks what it needs; ModelCallError where the language model fails
 */
export async function evaluate(
  request: EvaluationRequest,
  parts: DigestParts,
  signal?: AbortSignal,
): Promise<EvaluationAnswer> {
  const judge = judgeOf(request, parts, signal);
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
  const scored = await score();
  return { ...scored, judge: judge.record(), usage: judge.usage(), warnings: judge.warnings() };
}
