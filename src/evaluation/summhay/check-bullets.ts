import { countCited, findMarkers } from '../../text/index.ts';
import { checkNotBlank, checkUnique } from '../check-input.ts';
import { InvalidEvaluationError } from '../invalid-evaluation-error.ts';
import type { Insight, SummHayRequest } from './shapes.ts';

/** Documents that the markers of one bullet may cite, so that a few ranges cannot take all memory. */
const MAX_CITED = 10_000;

/** The ids that a request names anywhere. */
export function knownDocuments({ documents = [], insights }: SummHayRequest): Set<string> {
  return new Set([...documents, ...insights.flatMap((insight) => insight.documents ?? [])]);
}

/**
 * Refuses what cannot be scored: no insights, one that is blank or has another's id, and bullets that cite more documents than
 * anybody can.
 *
 * @throws InvalidEvaluationError
 */
export function checkBullets(request: SummHayRequest): void {
  checkInsights(request.insights);
  const known = knownDocuments(request);
  for (const [place, bullet] of request.bullets.entries()) {
    if (typeof bullet === 'string' && countCited(findMarkers(bullet, known)) > MAX_CITED) {
      throw new InvalidEvaluationError(`/bullets/${place}`, `cites more than ${MAX_CITED} documents`);
    }
  }
}

function checkInsights(insights: readonly Insight[]): void {
  if (insights.length === 0) throw new InvalidEvaluationError('/insights', 'has no insight to look for');
  checkUnique(
    insights.map(({ id }) => id),
    (place) => `/insights/${place}/id`,
  );
  checkNotBlank(
    insights.map(({ text }) => text),
    (place) => `/insights/${place}/text`,
  );
}
