import type { EvaluationRequest } from '../contract/index.ts';
import { checkReport } from './argue/check-report.ts';
import { checkKeyPoints } from './key-point-recall/check-key-points.ts';
import { checkSources } from './source-coverage/check-sources.ts';
import { checkBullets } from './summhay/check-bullets.ts';

/**
 * Refuses a request that its metric cannot score, without asking a judge.
 *
 * @throws InvalidEvaluationError
 */
export function checkEvaluation(request: EvaluationRequest): void {
  switch (request.metric) {
    case 'summhay':
      checkBullets(request);
      break;
    case 'key-point-recall':
      checkKeyPoints(request);
      break;
    case 'argue':
      checkReport(request);
      break;
    case 'source-coverage':
      checkSources(request);
      break;
  }
}
