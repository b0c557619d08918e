import { type EvaluationRequest, metricOf } from '../../evaluation/index.ts';
import { countWords } from '../../summary/index.ts';

/** Words of the text that is scored; markers are none. */
export function outputWords(evaluation: EvaluationRequest): number {
  return metricOf(evaluation.metric)
    .said(evaluation)
    .reduce((sum, text) => sum + countWords(text), 0);
}
