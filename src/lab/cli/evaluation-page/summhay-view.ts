import type { Insight, InsightAnswer } from '../../../contract/index.ts';
import type { ReadBullet } from '../../../evaluation/index.ts';
import { type Content, type Html, html } from '../../../server/index.ts';
import { readBullets } from '../../bulk/read-bullets.ts';
import type { Thresholds } from './thresholds.ts';
import { type AnswerOf, badge, number, type RequestOf, type Tone, table } from './view.ts';

const TONES: Readonly<Record<InsightAnswer['coverage'], Tone>> = { 0: 'bad', 50: 'half', 100: 'good' };

/** The insights of a record with the bullets that cover them, and its bullets with what they cover. */
export function summHayView(
  request: RequestOf<'summhay'>,
  answer: AnswerOf<'summhay'>,
  thresholds: Thresholds | null,
): Html {
  const bullets = readBullets(request);
  const rows = answer.insights.map((verdict, index) =>
    insightRow(request.insights[index], verdict, bullets, thresholds),
  );
  return html`${table('Insights', ['Insight', 'Covered', 'Best bullet', 'Markers'], rows)}
<h4>Bullets</h4>
${bullets.length === 0 ? html`<p class="muted">There are none.</p>` : html`<ol class="bullets">${bullets.map(bulletView(answer))}</ol>`}`;
}

function insightRow(
  insight: Insight,
  verdict: InsightAnswer,
  bullets: readonly ReadBullet[],
  thresholds: Thresholds | null,
): Content {
  const { coverage, score, bullet, precision, recall, f1 } = verdict;
  const best = bullet === null ? undefined : bullets[bullet];
  const told = insight.documents ?? [];
  const isCited = f1 !== null && best !== undefined;
  return html`<th scope="row" class="wide">${insight.text} <span class="muted">${insight.id}</span></th>
<td>${badge(coverage, TONES[coverage])}</td>
<td class="wide">${best === undefined || bullet === null ? 'There are no bullets.' : `${bullet + 1}. ${best.text}`}
<span class="why">${whyOf(coverage, score, thresholds)}</span></td>
<td>${isCited ? markersView(best.documents, told) : html`<span class="muted">${told.length === 0 ? 'not known' : 'not covered'}</span>`}
${isCited && html`<span class="why">P ${number(precision, 0)} · R ${number(recall, 0)} · F1 ${number(f1, 0)}</span>`}</td>`;
}

/** The score beside the levels that decide. */
function whyOf(coverage: InsightAnswer['coverage'], score: number, thresholds: Thresholds | null): string {
  const has = `score ${number(score, 2)}`;
  if (thresholds === null || coverage === 100) return has;
  const { half, full } = thresholds;
  if (coverage === 50) return `${has}; covered in full from ${number(full, 2)}`;
  return `missed: ${has}, half covered from ${number(half, 2)}`;
}

function bulletView({ insights }: AnswerOf<'summhay'>): (bullet: ReadBullet, index: number) => Content {
  return ({ text, documents }, index) => {
    const covered = insights.filter(({ bullet, coverage }) => bullet === index && coverage > 0);
    const cited = documents.length === 0 ? '' : ` · cites ${documents.map((id) => `[${id}]`).join(' ')}`;
    const covers = covered.map(({ id, coverage }) => `${id} (${coverage})`).join(', ');
    return html`<li>${text === '' ? html`<span class="muted">says nothing</span>` : text}
<span class="covers">${covers === '' ? 'covers no insight' : `covers ${covers}`}${cited}</span></li>`;
  };
}

/** The markers of a bullet beside the documents that tell its insight: right, wrong, and missing. */
function markersView(cited: readonly string[], told: readonly string[]): Html {
  const groups: readonly (readonly [string, readonly string[], Tone])[] = [
    ['right', cited.filter((id) => told.includes(id)), 'good'],
    ['wrong', cited.filter((id) => !told.includes(id)), 'bad'],
    ['missing', told.filter((id) => !cited.includes(id)), 'half'],
  ];
  const shown = groups.filter(([, ids]) => ids.length > 0);
  return html`<dl class="markers">${shown.map(
    ([what, ids, tone]): Content =>
      html`<div><dt>${what}</dt><dd>${ids.map((id) => badge(`[${id}]`, tone))}</dd></div>`,
  )}</dl>`;
}
