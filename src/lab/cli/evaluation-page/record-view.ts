import { FIGURES, figuresOf } from '../../bulk/figures.ts';
import type { ScoredRecord } from '../../bulk/record.ts';
import { type Html, html } from '../../../server/docs/html.ts';
import { argueView } from './argue-view.ts';
import { keyPointsView } from './key-points-view.ts';
import { sourcesView } from './sources-view.ts';
import { summHayView } from './summhay-view.ts';
import type { Thresholds } from './thresholds.ts';
import { number } from './view.ts';

/** A record that folds away: its figures, and behind them how they came about. */
export function recordView({ record, answer }: ScoredRecord, thresholds: Thresholds | null): Html {
  const { id, system, order, domain, questionKind } = record;
  const about = [system, domain, questionKind, order].filter((part) => part !== undefined).join(' · ');
  const figures = figuresOf(answer);
  return html`<details class="record">
<summary><b>${id}</b> <span class="muted">${about}</span>${FIGURES[answer.metric].map(
    ({ name, title }) => html` <span class="figure">${title} ${number(figures[name] ?? null)}</span>`,
  )}</summary>
<div>${bodyOf({ record, answer }, thresholds)}
${answer.warnings.map((warning) => html`<p class="muted">Note: ${warning}</p>`)}</div>
</details>
`;
}

function bodyOf(
  { record: { evaluation }, answer }: Pick<ScoredRecord, 'record' | 'answer'>,
  thresholds: Thresholds | null,
) {
  if (answer.metric === 'summhay' && evaluation.metric === 'summhay') {
    return summHayView(evaluation, answer, thresholds);
  }
  if (answer.metric === 'key-point-recall' && evaluation.metric === 'key-point-recall') {
    return keyPointsView(evaluation, answer, thresholds);
  }
  if (answer.metric === 'argue' && evaluation.metric === 'argue') return argueView(evaluation, answer);
  if (answer.metric === 'source-coverage' && evaluation.metric === 'source-coverage') {
    return sourcesView(evaluation, answer);
  }
  throw new TypeError('an answer is of another metric than its record');
}
