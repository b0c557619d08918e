import { quantile } from '../../bulk/bootstrap.ts';
import type { ArmReport } from '../../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../../comparison/metrics.ts';
import type { Difference } from '../../comparison/paired-differences.ts';
import { type Html, html } from '../../../server/docs/html.ts';
import { printP } from '../print-comparison.ts';
import { fixed, printEstimate } from '../print-estimate.ts';
import { axisFor } from './axis.ts';
import { ALONE, type Placement } from './placement.ts';
import { dot, drawing, line, words } from './svg.ts';

/** From where on a difference counts as told apart from none. */
const ALPHA = 0.05;

/** Times what seven tenths of the ends stay within: what is farther off is told in figures only. */
const FAR = 20;

const WIDTH = 1000;
const LEFT = 330;
const RIGHT = 745;
const ROW = 24;
const TOP = 34;
/** Characters that fit to the left of the axis. */
const LABEL = 46;

/** The differences of a metric with their intervals, arm by arm, around the line of no difference. */
export function forestPlot(
  { key, title, digits }: ComparisonMetric,
  arms: readonly ArmReport[],
  { words: naming, shorten }: Pick<Placement, 'words' | 'shorten'> = ALONE,
): Html {
  const rows = arms.flatMap(({ name, differences }) => {
    const difference = differences?.[key];
    return difference === undefined || difference.value === null ? [] : [{ name, difference, value: difference.value }];
  });
  if (rows.length === 0) return html`<p class="muted">No ${naming.one} differs in what both have.</p>`;
  const ends = rows.flatMap(({ difference: { low, high }, value }) => [value, low ?? value, high ?? value]);
  const most = mostShown(ends);
  const within = (value: number) => Math.min(Math.max(value, -most), most);
  const axis = axisFor([0, ...ends.map(within)], LEFT, RIGHT, 6);
  const isBeyond = (value: number) => Math.abs(value) > most;
  const bottom = TOP + rows.length * ROW;
  const label = `Differences in ${title} from the baseline, with 95% intervals`;
  return drawing(label, { width: WIDTH, height: bottom + 8 }, [
    axis.ticks.map((tick) => [
      line(tick === 0 ? 'zero' : 'grid', axis.at(tick), TOP - 8, axis.at(tick), bottom),
      words('tick', axis.at(tick), TOP - 14, fixed(tick, axis.digits), 'middle'),
    ]),
    words('tick', RIGHT + 25, TOP - 14, 'difference', 'start'),
    words('tick', WIDTH - 4, TOP - 14, 'p, Holm', 'end'),
    rows.map(({ name, difference, value }, place) => {
      const y = TOP + (place + 0.5) * ROW;
      const { low, high } = difference;
      const style = isTold(difference) ? 'told' : 'untold';
      return html`<g>${words('label', LEFT - 14, y + 4, shorten(name, LABEL), 'end')}
${low !== null && high !== null && line(`range ${style}`, axis.at(within(low)), y, axis.at(within(high)), y)}
${
  isBeyond(value)
    ? words('beyond', axis.at(within(value)), y + 4, value > 0 ? '▶' : '◀', 'middle')
    : dot(style, axis.at(value), y, 4.5, `${name}: ${printEstimate(difference, digits)}`)
}
${words('value', RIGHT + 25, y + 4, printEstimate(difference, digits), 'start')}
${words('value', WIDTH - 4, y + 4, printP(difference.adjustedP), 'end')}</g>
`;
    }),
  ]);
}

/** Up to where differences are drawn, so that one arm far off does not press the others together. */
function mostShown(ends: readonly number[]): number {
  const sizes = ends.map(Math.abs).sort((a, b) => a - b);
  const usual = FAR * quantile(sizes, 0.7);
  return usual > 0 && sizes[sizes.length - 1] > usual ? usual : Number.POSITIVE_INFINITY;
}

/** Whether a difference is there beyond chance, after all tests are counted. */
export function isTold({ adjustedP }: Pick<Difference, 'adjustedP'>): boolean {
  return adjustedP !== null && adjustedP < ALPHA;
}
