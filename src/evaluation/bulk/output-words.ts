import { countWords } from '../../summary/count-words.ts';
import { citedNames } from '../key-point-recall/cited-names.ts';
import type { EvaluationRequest } from '../request.ts';
import { knownDocuments } from '../summhay/check-bullets.ts';
import { bulletText } from '../summhay/read-bullet.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';

/** Words of the text that is scored; markers are none. */
export function outputWords(evaluation: EvaluationRequest): number {
  return saidTexts(evaluation).reduce((sum, text) => sum + countWords(text), 0);
}

/** The pieces of the text that is scored, without markers. */
function saidTexts(evaluation: EvaluationRequest): string[] {
  switch (evaluation.metric) {
    case 'summhay': {
      const known = knownDocuments(evaluation);
      return evaluation.bullets.map((bullet) => bulletText(bullet, known));
    }
    case 'key-point-recall':
      return [stripMarkers(evaluation.answer, citedNames(evaluation.answer)).text];
    case 'argue': {
      const known = new Set(evaluation.documents.map(({ id }) => id));
      return evaluation.report.sentences.map(({ text }) => stripMarkers(text, known).text);
    }
    case 'source-coverage':
      return [stripMarkers(evaluation.summary, new Set(evaluation.documents)).text];
  }
}
