import { type Content, type Html, html } from '../../../server/docs/html.ts';
import { type AnswerOf, badge, evidenceOf, number, type RequestOf, table, yesOrNo } from './view.ts';

/** The questions about the sources that a summary answers or not, and the coverage of each document by its place. */
export function sourcesView(request: RequestOf<'source-coverage'>, answer: AnswerOf<'source-coverage'>): Html {
  const hasIntent = answer.questions.some(({ relevant }) => relevant !== null);
  const places = new Map(answer.documents.map(({ id, position }) => [id, position + 1]));
  const questions = answer.questions.map((verdict, index): Content => {
    const { question, answer: wanted, document } = request.questions[index];
    const { answerable, matches, relevant, covered, evidence } = verdict;
    return html`<th scope="row" class="wide">${question}<span class="why">${wanted}</span></th>
<td>${document}<span class="why">place ${places.get(document)}</span></td>
<td>${covered ? badge('covered', 'good') : badge(whyMissed(answerable, matches), 'bad')}</td>
${hasIntent && html`<td>${relevant === null ? '–' : yesOrNo(relevant)}</td>`}
<td class="wide">${evidenceOf(evidence)}</td>`;
  });
  const heads = [
    'Question and answer',
    'Document',
    'Covered',
    ...(hasIntent ? ['Relevant'] : []),
    'Evidence in the summary',
  ];
  const documents = answer.documents.map(
    ({ id, position, coverage }): Content => html`<td>${position + 1}</td><th scope="row">${id}</th>
<td>${number(coverage)}</td><td><span class="bar" style="width:${coverage ?? 0}%"></span></td>`,
  );
  return html`<h4>Summary</h4><blockquote class="text">${request.summary}</blockquote>
${table('Questions', heads, questions)}
${table('Documents by place', ['Place', 'Document', 'Coverage', ''], documents, 'curve')}`;
}

function whyMissed(answerable: boolean, matches: boolean): string {
  if (!answerable) return 'not answered';
  return matches ? 'missed' : 'answered otherwise';
}
