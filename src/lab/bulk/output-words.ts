import type { EvaluationRequest } from '../../contract/evaluation-request.ts';
import { citedNames } from '../../evaluation/key-point-recall/cited-names.ts';
import { knownDocuments } from '../../evaluation/summhay/check-bullets.ts';
import { bulletText } from '../../evaluation/summhay/read-bullet.ts';
import { stripMarkers } from '../../evaluation/summhay/strip-markers.ts';
import { countWords } from '../../summary/count-words.ts';

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
