import { countWords } from '../../summary/count-words.ts';
import type { EvaluationRequest } from '../request.ts';
import { bulletText } from '../summhay/read-bullet.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';

/** Words of the text that is scored; markers are none. */
export function outputWords(evaluation: EvaluationRequest): number {
  return saidTexts(evaluation).reduce((sum, text) => sum + countWords(text), 0);
}

/** The pieces of the text that is scored, without markers. */
export function saidTexts(evaluation: EvaluationRequest): string[] {
  switch (evaluation.metric) {
    case 'summhay': {
      const { bullets, insights, documents = [] } = evaluation;
      const known = new Set([...documents, ...insights.flatMap((insight) => insight.documents ?? [])]);
      return bullets.map((bullet) => (typeof bullet === 'string' ? bulletText(bullet, known) : bullet.text));
    }
    case 'key-point-recall':
      return [stripMarkers(evaluation.answer, new Set()).text];
    case 'argue': {
      const known = new Set(evaluation.documents.map(({ id }) => id));
      return evaluation.report.sentences.map(({ text }) => stripMarkers(text, known).text);
    }
    case 'source-coverage':
      return [stripMarkers(evaluation.summary, new Set(evaluation.documents)).text];
  }
}
