import type { Outcome } from '../../../contract/evaluation-answer.ts';
import { isLeftOut, isRewarded } from '../../../evaluation/argue/outcome.ts';
import { type Content, type Html, html } from '../../../server/docs/html.ts';
import { type AnswerOf, badge, evidenceOf, type RequestOf, type Tone, table, yesOrNo } from './view.ts';

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  1: 'a cited document does not support it',
  2: 'supported, of no nugget whose answer its documents attest',
  3: 'supported, reports a nugget',
  4: 'needs no citation',
  5: 'needs a citation, and no earlier or cited sentence states it',
  6: 'needs a citation, but an earlier or a cited sentence states it',
  7: 'states an absence that no nugget states',
  8: 'states an absence that a nugget states',
};

/** The sentences of a report with their outcomes and citations, and the nuggets that it reports or lacks. */
export function argueView(request: RequestOf<'argue'>, answer: AnswerOf<'argue'>): Html {
  const sentences = answer.sentences.map(
    ({ outcome, nuggets, citations }, index): Content => html`<td>${index + 1}</td>
<th scope="row" class="wide">${request.report.sentences[index].text}</th>
<td>${badge(effectOf(outcome), toneOf(outcome))}<span class="why">${outcome}: ${OUTCOMES[outcome]}</span></td>
<td>${nuggets.length === 0 ? '–' : nuggets.join(', ')}</td>
<td class="wide">${citations.length === 0 ? '–' : citations.map(citationView)}</td>`,
  );
  const nuggets = answer.nuggets.map(({ id, reported, sentences: places }, index): Content => {
    const { question, importance = 'vital', answers = [] } = request.nuggets[index];
    const wanted = answers.length === 0 ? 'that nothing is known' : answers.map(({ text }) => text).join(' / ');
    return html`<th scope="row" class="wide">${question} <span class="muted">${id}, ${importance}</span></th><td class="wide">${wanted}</td>
<td>${yesOrNo(reported)}</td><td>${places.length === 0 ? '–' : places.map((place) => place + 1).join(', ')}</td>`;
  });
  return html`${table('Sentences', ['No.', 'Sentence', 'Outcome', 'Nuggets', 'Citations'], sentences)}
${table('Nuggets', ['Question', 'Wanted', 'Reported', 'By sentences'], nuggets)}`;
}

function citationView({ document, supported, evidence }: AnswerOf<'argue'>['sentences'][number]['citations'][number]) {
  return html`<div>${badge(`[${document}] ${supported ? 'supports it' : 'does not support it'}`, supported ? 'good' : 'bad')}
${evidence !== null && evidenceOf(evidence)}</div>`;
}

function effectOf(outcome: Outcome): string {
  if (isRewarded(outcome)) return 'rewarded';
  return isLeftOut(outcome) ? 'left out' : 'penalised';
}

function toneOf(outcome: Outcome): Tone {
  if (isRewarded(outcome)) return 'good';
  return isLeftOut(outcome) ? '' : 'bad';
}
