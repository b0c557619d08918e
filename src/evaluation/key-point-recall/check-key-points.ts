import { checkNotBlank } from '../check-input.ts';
import { InvalidEvaluationError } from '../invalid-evaluation-error.ts';
import type { KeyPointRecallRequest } from './shapes.ts';

/** @throws InvalidEvaluationError without reference points, or for one that is blank */
export function checkKeyPoints({ keyPoints }: KeyPointRecallRequest): void {
  if (keyPoints.length === 0) throw new InvalidEvaluationError('/keyPoints', 'has no key point to look for');
  checkNotBlank(keyPoints, (place) => `/keyPoints/${place}`);
}
