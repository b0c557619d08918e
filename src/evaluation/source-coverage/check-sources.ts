import { checkNotBlank, checkUnique } from '../check-input.ts';
import { InvalidEvaluationError } from '../invalid-evaluation-error.ts';
import type { SourceCoverageRequest } from './shapes.ts';

/**
 * Refuses what cannot be scored: no questions, a blank one, one of a document that is not there, and a document that comes twice.
 *
 * @throws InvalidEvaluationError
 */
export function checkSources({ documents, questions }: SourceCoverageRequest): void {
  if (questions.length === 0) throw new InvalidEvaluationError('/questions', 'has no question to ask');
  checkUnique(documents, (place) => `/documents/${place}`);
  checkNotBlank(
    questions.map(({ question }) => question),
    (place) => `/questions/${place}/question`,
  );
  checkNotBlank(
    questions.map(({ answer }) => answer),
    (place) => `/questions/${place}/answer`,
  );
  const known = new Set(documents);
  const place = questions.findIndex(({ document }) => !known.has(document));
  if (place >= 0) {
    throw new InvalidEvaluationError(`/questions/${place}/document`, 'is not the id of one of the documents');
  }
}
