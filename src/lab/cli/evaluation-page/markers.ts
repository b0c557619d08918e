import { type Content, type Html, html } from '../../../server/docs/html.ts';
import { badge, type Tone } from './view.ts';

/** The markers of a bullet beside the documents that tell its insight: right, wrong, and missing. */
export function markersView(cited: readonly string[], told: readonly string[]): Html {
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
