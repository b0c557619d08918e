import type { EvaluationRequest } from '../../contract/index.ts';
import { bulletText, citedNames, knownDocuments, stripMarkers } from '../../evaluation/index.ts';
import { countWords } from '../../summary/index.ts';

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
