import type { ComparisonReport } from '../../comparison/comparison-report.ts';
import { SHAPES } from '../../comparison/shapes.ts';
import { type Html, html } from '../../../server/docs/html.ts';
import { table } from '../evaluation-page/view.ts';
import { quartiles, SHAPE_DIGITS, SHAPE_TITLES } from '../print-comparison.ts';
import { highestShare, histogram } from './histogram.ts';
import { capital, type Placement } from './placement.ts';

/** How documents, words and sentence lengths are spread, arm by arm. */
export function lengthsView({ arms, baseline, scales }: ComparisonReport, { words, numberOf }: Placement): Html {
  const base = arms.find(({ name }) => name === baseline) ?? arms[0];
  const most = SHAPES.map((shape) => Math.max(...arms.map(({ distributions }) => highestShare(distributions[shape]))));
  return table(
    'Share of values in each bin; the outline is the baseline, the upright line the median. Below: quartiles.',
    [capital(words.one), ...SHAPES.map((shape) => SHAPE_TITLES[shape])],
    arms.map(({ name, distributions }, place) => {
      const cells = SHAPES.map((shape, column) => {
        const look = { scale: scales[shape], most: most[column], digits: SHAPE_DIGITS[shape] };
        const own = distributions[shape];
        const label = `${name}: ${SHAPE_TITLES[shape]}`;
        return html`<td>${histogram(label, own, base.distributions[shape], look)}<span class="range">${quartiles(own, shape)}</span></td>`;
      });
      return html`<th scope="row"><span class="muted">${numberOf(name, place)}</span> ${name}</th>${cells}`;
    }),
    'lengths',
  );
}
