import { type Content, type Html, html } from '../../../server/docs/html.ts';
import type { Thresholds } from './thresholds.ts';
import { type AnswerOf, badge, evidenceOf, number, type RequestOf, table, yesOrNo } from './view.ts';

/** A score so near to the level says that something else decided. */
const NEAR = 1e-9;

/** The key points that an answer should tell, and those that it tells. */
export function keyPointsView(
  request: RequestOf<'key-point-recall'>,
  answer: AnswerOf<'key-point-recall'>,
  thresholds: Thresholds | null,
): Html {
  const wanted = answer.keyPoints.map(
    (
      { entailed, score, evidence },
      index,
    ): Content => html`<th scope="row" class="wide">${request.keyPoints[index]}</th>
<td>${yesOrNo(entailed)}</td>
<td class="wide">${evidenceOf(evidence)}<span class="why">${whyOf(entailed, score, thresholds)}</span></td>`,
  );
  const own = answer.answerKeyPoints.map(
    ({ text, present, evidence }): Content => html`<th scope="row" class="wide">${text}</th>
<td>${present === null ? badge('not known', '') : yesOrNo(present)}</td><td class="wide">${evidenceOf(evidence)}</td>`,
  );
  return html`<h4>Answer</h4><blockquote class="text">${request.answer}</blockquote>
${table('Key points that it should tell', ['Key point', 'Told', 'Evidence in the answer'], wanted)}
${own.length > 0 && table('Key points that it tells', ['Key point', 'In the documents', 'Evidence there'], own)}`;
}

function whyOf(entailed: boolean, score: number, thresholds: Thresholds | null): string {
  const has = `score ${number(score, 2)}`;
  if (entailed || thresholds === null) return has;
  const { holds } = thresholds;
  if (score > holds - NEAR) return 'missed: what comes near tells other numbers or names';
  return `missed: ${has}, told from ${number(holds, 2)}`;
}
