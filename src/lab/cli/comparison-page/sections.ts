import { fixed, number } from '../../../evaluation/index.ts';
import { quantile } from '../../bulk/bootstrap.ts';
import type { ArmReport, ComparisonReport } from '../../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../../comparison/metrics.ts';
import type { Difference } from '../../comparison/paired-differences.ts';
import type { FailedComparison } from '../../comparison/run-comparison.ts';
import { SHAPES } from '../../comparison/shapes.ts';
import { type Html, html } from '../../html/html.ts';
import { describeFailure } from '../describe-failure.ts';
import { table } from '../evaluation-page/view.ts';
import { printP, quartiles, SHAPE_DIGITS, SHAPE_TITLES } from '../print-comparison.ts';
import { printEstimate } from '../print-estimate.ts';
import { axisFor } from './axis.ts';
import { highestShare, histogram } from './histogram.ts';
import { ALONE, capital, heading, type Placement, type Section } from './placement.ts';
import { scatter } from './scatter.ts';
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
      const style = isSignificant(difference) ? 'told' : 'untold';
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
function isSignificant({ adjustedP }: Pick<Difference, 'adjustedP'>): boolean {
  return adjustedP !== null && adjustedP < ALPHA;
}

/** What a comparison shows, part by part: means, differences where there is more than the baseline, and lengths. */
export function comparisonSections(report: ComparisonReport, placement: Placement): Section[] {
  const { metrics, main, arms } = report;
  const { words } = placement;
  const shown = metrics.find(({ key }) => key === main);
  const means: Section = {
    id: 'means',
    link: 'Means',
    title: 'Means',
    body: html`${
      shown !== undefined &&
      html`<p>Words of the summary against ${shown.title}: ${words.some} that is better, and not only longer, lies above others of its
length. Numbers are those of the table; the dark dot is the baseline.</p>
${scatter(report, shown, placement)}`
    }
${meansView(report, placement)}`,
  };
  const differences: Section = {
    id: 'differences',
    link: 'Differences',
    title: 'Differences from the baseline',
    body: html`<p>Paired over the ${words.data}: mean and 95% bootstrap interval. A filled dot has p &lt; 0.05 by the paired t-test after all ${words.many}
are counted (Holm).</p>
${metrics.map((metric) => differencesView(report, metric, placement))}`,
  };
  const lengths: Section = {
    id: 'lengths',
    link: 'Documents and lengths',
    title: 'Documents and lengths',
    body: html`<p>Whether ${words.some} is better or merely longer: documents and words are of digests, words of sentence of all their sentences.</p>
${lengthsView(report, placement)}`,
  };
  return [means, ...(arms.some((arm) => arm.differences !== null) ? [differences] : []), lengths];
}

/** What could not be made, and why; no section where there is nothing. */
export function failedSections(failed: readonly FailedComparison[], { words }: Placement): Section[] {
  if (failed.length === 0) return [];
  const body = table(
    'Digests that could not be made',
    [capital(words.datum), capital(words.one), 'Problem'],
    failed.map(
      ({ datum, arm, failure }) =>
        html`<th scope="row">${datum}</th><td>${arm}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  );
  return [{ id: 'failed', link: 'Failed', title: 'Failed', body }];
}

/** The means of all metrics, arm by arm. */
function meansView({ arms, metrics, baseline }: ComparisonReport, { words, numberOf }: Placement): Html {
  const rows = arms.map(({ name, digests, failed, partial, figures }, place) => {
    const cells = metrics.map(({ key, digits }) => {
      const { value, low, high, n } = figures[key];
      const range = low !== null && high !== null && `${fixed(low, digits)} to ${fixed(high, digits)}`;
      return html`<td>${number(value, digits)}<span class="range">${range}</span>${n !== digests && html`<span class="range">n = ${n}</span>`}</td>`;
    });
    return html`<th scope="row"><span class="muted">${numberOf(name, place)}</span> ${name}${name === baseline && html` <span class="badge">baseline</span>`}
${failed > 0 && html`<span class="why">${failed} failed</span>`}${partial > 0 && html`<span class="why">${partial} partial</span>`}</th>
<td>${digests}</td>${cells}`;
  });
  const heads = [capital(words.one), 'n', ...metrics.map(({ title }) => title)];
  return table(`Means over the ${words.data}, with 95% bootstrap intervals`, heads, rows, 'figures');
}

/** How documents, words and sentence lengths are spread, arm by arm. */
function lengthsView({ arms, baseline, scales }: ComparisonReport, { words, numberOf }: Placement): Html {
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

/** A metric against the baseline: the plot, and behind it the figures of the tests. */
function differencesView({ arms, baseline }: ComparisonReport, metric: ComparisonMetric, placement: Placement): Html {
  const { key, title, digits } = metric;
  const { level, prefix, words } = placement;
  const others = arms.filter(({ differences }) => differences !== null);
  const base = arms.find(({ name }) => name === baseline)?.figures[key].value ?? null;
  const rows = others.flatMap(({ name, differences }) => {
    const difference = differences?.[key];
    if (difference === undefined) return [];
    const { value, low, high, n, statistic, degreesOfFreedom, p, adjustedP } = difference;
    const range = low === null || high === null ? '–' : `${fixed(low, digits)} to ${fixed(high, digits)}`;
    return html`<th scope="row">${name}</th><td>${n}</td><td>${number(value, digits)}</td><td>${range}</td>
<td>${number(statistic, 2)}</td><td>${degreesOfFreedom ?? '–'}</td><td>${printP(p)}</td><td>${printP(adjustedP)}</td>`;
  });
  const heads = [capital(words.one), 'pairs', 'difference', '95% interval', 't', 'df', 'p', 'p, Holm'];
  return html`${heading(level + 1, title, `${prefix}${key}`)}
<p class="muted">Less the baseline’s mean of ${number(base, digits)}.</p>
${forestPlot(metric, others, placement)}
<details><summary>Figures</summary>${table(`Paired differences in ${title}`, heads, rows, 'figures')}</details>
`;
}
