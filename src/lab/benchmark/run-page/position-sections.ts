import type { SetReport } from '../../run/run-report.ts';
import type { Estimate } from '../../bulk/estimate.ts';
import { type Content, html } from '../../../server/docs/html.ts';
import type { Placement, Section } from '../../cli/comparison-page/placement.ts';
import { number, table } from '../../cli/evaluation-page/view.ts';
import { linePlot } from './line-plot.ts';

/** Whether what stands in the middle of the input is lost, and what the order of documents changes; where that is known. */
export function positionSections(
  { curves, sensitivities, comparison: { arms } }: SetReport,
  { numberOf }: Placement,
): Section[] {
  const sections: Section[] = [];
  if (curves.length > 0) {
    const heads = curves[0].bins.map(({ from, to }) => `${Math.round(100 * from)} to ${Math.round(100 * to)}%`);
    // A system without answers has no line, but a row.
    const rows = arms.map(({ name }, place) => {
      const bins = curves.find(({ system }) => system === name)?.bins;
      return html`<th scope="row"><span class="muted">${numberOf(name, place)}</span> ${name}</th>${heads.map(
        (_, bin) => (bins === undefined ? html`<td>–</td>` : cell(bins[bin].coverage)),
      )}`;
    });
    const courses = curves.map(({ system, bins }, place) => ({ number: numberOf(system, place), system, bins }));
    sections.push({
      id: 'places',
      link: 'Source coverage by place',
      title: 'Source coverage by place in the input',
      body: html`<p>Share of the questions about a document that the summary answers, in percent, in each tenth of the order in which the
system was given its documents.</p>
${linePlot('Source coverage by the place of the document in the input, a line for each system', courses)}
<details><summary>Figures</summary>${table('Source coverage by place, with 95% bootstrap intervals; n counts documents', ['System', ...heads], rows, 'figures')}</details>`,
    });
  }
  if (sensitivities.length > 0) {
    const rows = sensitivities.map(
      ({ system, sensitivity }) => html`<th scope="row">${system}</th>${cell(sensitivity)}`,
    );
    sections.push({
      id: 'orders',
      link: 'Position sensitivity',
      title: 'Position sensitivity',
      body: html`<p>The largest change of the mean joint score (of coverage, where citations are not scored) between documents that matter
first, last and anywhere. The nearer to 0, the less their order decides.</p>
${table('Position sensitivity, with 95% bootstrap intervals; n counts outputs', ['System', 'Largest change'], rows, 'figures narrow')}`,
    });
  }
  return sections;
}

function cell({ value, low, high, n }: Estimate): Content {
  const range = low !== null && high !== null && html`<span class="range">${number(low)} to ${number(high)}</span>`;
  return html`<td>${number(value)}${range}<span class="range">n = ${n}</span></td>`;
}
