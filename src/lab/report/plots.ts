import { fixed } from '../../evaluation/index.ts';
import { type Estimate, type EstimatedBin, quantile } from '../bulk/estimate.ts';
import type { ArmReport, ComparisonReport, Difference } from '../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../comparison/metrics.ts';
import type { Distribution, Scale } from '../comparison/shapes.ts';
import { type Content, type Html, html } from '../html/html.ts';
import {
  type Axis,
  axisFor,
  clippedInside,
  dot,
  drawing,
  levelGrid,
  line,
  logAxis,
  placeLabels,
  px,
  spreadApart,
  uprightGrid,
  words,
} from './drawing.ts';
import { ALONE, type Placement } from './page.ts';
import { printP } from './print.ts';
import { printEstimate } from './text-table.ts';

function endsOf({ value, low, high }: Estimate): number[] {
  return [value, low, high].filter((end) => end !== null);
}

/** From where on a difference counts as told apart from none. */
const ALPHA = 0.05;
/** Times what seven tenths of the ends stay within: what is farther off is told in figures only. */
const FAR = 20;

const FOREST = { width: 1000, left: 330, right: 745, row: 24, top: 34, label: 46 };

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
  const { width, left, right, row, top, label } = FOREST;
  const ends = rows.flatMap(({ difference }) => endsOf(difference));
  const most = mostShown(ends);
  const within = (value: number) => Math.min(Math.max(value, -most), most);
  const axis = axisFor([0, ...ends.map(within)], left, right, 6);
  const bottom = top + rows.length * row;
  return drawing(`Differences in ${title} from the baseline, with 95% intervals`, { width, height: bottom + 8 }, [
    uprightGrid(axis, top - 8, bottom, top - 14, 'zero'),
    words('tick', right + 25, top - 14, 'difference', 'start'),
    words('tick', width - 4, top - 14, 'p, Holm', 'end'),
    rows.map(({ name, difference, value }, place) => {
      const y = top + (place + 0.5) * row;
      const { low, high } = difference;
      const style = isSignificant(difference) ? 'told' : 'untold';
      const told = printEstimate(difference, digits);
      return html`<g>${words('label', left - 14, y + 4, shorten(name, label), 'end')}
${low !== null && high !== null && line(`span ${style}`, axis.at(within(low)), y, axis.at(within(high)), y)}
${
  Math.abs(value) > most
    ? words('beyond', axis.at(within(value)), y + 4, value > 0 ? '▶' : '◀', 'middle')
    : dot(style, axis.at(value), y, 4.5, `${name}: ${told}`)
}
${words('value', right + 25, y + 4, told, 'start')}
${words('value', width - 4, y + 4, printP(difference.adjustedP), 'end')}</g>
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

const DOTS = { width: 620, left: 302, right: 566, row: 21, top: 30, label: 40 };

export interface DotRow {
  readonly number: number;
  readonly name: string;
  readonly estimate: Estimate;
  readonly isBaseline: boolean;
}

/** An axis for dot plots that are to be compared with each other. */
export function dotAxis(estimates: readonly Estimate[]): Axis {
  return axisFor(estimates.flatMap(endsOf), DOTS.left, DOTS.right, 4);
}

/** The mean of each system with its interval; a broken line runs down from the baseline's. */
export function dotPlot(title: string, rows: readonly DotRow[], axis: Axis, digits: number): Html {
  const { width, row, top, label } = DOTS;
  const bottom = top + rows.length * row;
  const base = rows.find(({ isBaseline }) => isBaseline)?.estimate.value ?? null;
  return drawing(title, { width, height: bottom + 6 }, [
    uprightGrid(axis, top - 6, bottom, top - 12),
    base !== null && line('held', axis.at(base), top - 6, axis.at(base), bottom),
    rows.map(({ number, name, estimate, isBaseline }, place) => {
      const y = top + (place + 0.5) * row;
      const { value, low, high } = estimate;
      const style = isBaseline ? 'base' : 'mean';
      return html`<g>${words('tick', 18, y + 4, String(number), 'end')}
${words(isBaseline ? 'label strong' : 'label', 26, y + 4, clippedInside(name, label), 'start')}
${low !== null && high !== null && line(`span ${style}`, axis.at(low), y, axis.at(high), y)}
${value !== null && dot(style, axis.at(value), y, 4.5, `${name}: ${printEstimate(estimate, digits)}`)}
${words('value', width - 4, y + 4, value === null ? '–' : fixed(value, digits), 'end')}</g>
`;
    }),
  ]);
}

const SCATTER = { width: 1000, height: 520, left: 60, right: 970, top: 14, bottom: 466 };
/** From a dot to its number. */
const DISTANCE = 14;
/** From which ratio on summaries of different lengths need a logarithmic axis. */
const WIDE = 8;

/** The means of all arms: words of the summary across, a score up. A score that length buys lies on a rising line. */
export function scatter(
  { arms, baseline }: ComparisonReport,
  { key, title, digits }: ComparisonMetric,
  { words: naming, numberOf }: Pick<Placement, 'words' | 'numberOf'> = ALONE,
): Html {
  const { left, right, top, bottom, ...size } = SCATTER;
  const shown = arms.flatMap(({ name, words: long, figures: { [key]: score } }, place) =>
    long.value === null || score.value === null
      ? []
      : [{ name, number: numberOf(name, place), long, score, x: long.value, y: score.value }],
  );
  const lengths = shown.map(({ x }) => x);
  const isWide = lengths.length > 0 && Math.min(...lengths) > 0 && Math.max(...lengths) > WIDE * Math.min(...lengths);
  const across = isWide ? logAxis(lengths, left, right) : axisFor(lengths, left, right, 8);
  const scores = shown.flatMap(({ score }) => endsOf(score));
  const up = axisFor(scores, bottom, top, 6);
  const points = shown.map(({ x, y }) => ({ x: across.at(x), y: up.at(y) }));
  const labels = placeLabels(points, DISTANCE);
  return drawing(`Words of the summary and ${title}, mean of each ${naming.one}`, size, [
    uprightGrid(across, top, bottom, bottom + 18),
    levelGrid(up, left, right),
    words(
      'axis',
      (left + right) / 2,
      size.height - 10,
      `words of the summary${isWide ? ', logarithmic' : ''}`,
      'middle',
    ),
    html`<text class="axis" transform="translate(16 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${title}</text>`,
    shown.map(
      ({ x, score: { low, high } }) =>
        low !== null && high !== null && line('whisker', across.at(x), up.at(low), across.at(x), up.at(high)),
    ),
    shown.map(({ name, number, long, score }, place) => {
      const told = `${number} ${name}: ${title} ${printEstimate(score, digits)}, words ${printEstimate(long, 0)}`;
      const [point, label] = [points[place], labels[place]];
      return [
        dot(name === baseline ? 'base' : 'told', point.x, point.y, 5.5, told),
        words(name === baseline ? 'number strong' : 'number', label.x, label.y + 4, String(number), 'middle'),
      ];
    }),
  ]);
}

const BARS = { width: 230, height: 64, base: 48 };

/**
 * A small histogram on a scale that all arms share, with the baseline's outline over it; heights are shares of the values,
 * so that arms with fewer digests can be compared.
 *
 * @param most the share of the highest bar of any arm
 */
export function histogram(
  label: string,
  own: Distribution,
  outlined: Distribution,
  { scale, most, digits }: { readonly scale: Scale; readonly most: number; readonly digits: number },
): Html {
  const { width, height, base } = BARS;
  const { from, to, bins, isCut } = scale;
  const step = width / bins;
  const heightOf = ({ counts, n }: Distribution, bin: number) =>
    n === 0 || most === 0 ? 0 : (base - 4) * (counts[bin] / n / most);
  const places = Array.from({ length: bins }, (_, bin) => bin);
  const bars = places
    .filter((bin) => own.counts[bin] > 0)
    .map((bin) => {
      const high = heightOf(own, bin);
      return html`<rect class="bin" x="${px(bin * step + 0.5)}" y="${px(base - high)}" width="${px(step - 1)}" height="${px(high)}"/>`;
    });
  const steps = places.map((bin) => `V${px(base - heightOf(outlined, bin))}H${px((bin + 1) * step)}`).join('');
  const { p50 } = own.quantiles;
  const middle = p50 === null ? null : Math.min(width, (width * (p50 - from)) / (to - from));
  return html`<svg class="small" viewBox="-1 0 ${width + 2} ${height}" role="img" aria-label="${label}">${bars}
<path class="outline" d="M0 ${base}${steps}V${base}"/>
${line('ground', 0, base, width, base)}${middle !== null && line('middle', middle, 2, middle, base)}
${words('tick', 0, height - 2, fixed(from, digits), 'start')}${words('tick', width, height - 2, `${fixed(to, digits)}${isCut ? ' and more' : ''}`, 'end')}</svg>`;
}

/** The share of its values that the highest bar of a histogram holds. */
export function highestShare({ counts, n }: Distribution): number {
  return n === 0 ? 0 : Math.max(...counts) / n;
}

/** `gap` between labels, and characters that fit behind a line. */
const LINES = { width: 1000, left: 56, right: 640, top: 16, least: 340, gap: 16, label: 42 };
const HUES = 6;

interface Course {
  readonly number: number;
  readonly system: string;
  readonly bins: readonly EstimatedBin[];
}

/** Coverage by the place of documents in the input: a line for each system, told apart by its label, marks and hue. */
export function linePlot(title: string, courses: readonly Course[]): Html {
  const { width, left, right, top, least, gap, label } = LINES;
  const bottom = top + Math.max(least, courses.length * gap);
  const values = courses.flatMap(({ bins }) => bins.flatMap(({ coverage }) => coverage.value ?? []));
  const up = axisFor(values, bottom, top, 6);
  const across = (share: number) => left + (right - left) * share;
  const shown = courses.map(({ bins, ...course }) => {
    const points = bins.flatMap(({ from, to, coverage: { value } }) =>
      value === null ? [] : [{ x: across((from + to) / 2), y: up.at(value) }],
    );
    return { ...course, points };
  });
  const ends = shown.flatMap(({ points }) => points.at(-1)?.y ?? (top + bottom) / 2);
  const labels = spreadApart(ends, gap, top, bottom);
  return drawing(title, { width, height: bottom + 46 }, [
    levelGrid(up, left, right),
    [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => [
      line('ground', across(share), bottom, across(share), bottom + 4),
      words('tick', across(share), bottom + 18, `${Math.round(100 * share)}%`, 'middle'),
    ]),
    line('ground', left, bottom, right, bottom),
    words('axis', (left + right) / 2, bottom + 38, 'place of the document in the input, from first to last', 'middle'),
    shown.map(({ number, system, points }, place) => {
      const path = points.map(({ x, y }, step) => `${step === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('');
      const end = points.at(-1);
      return html`<g class="hue-${(number - 1) % HUES}"><title>${system}</title>
<path class="course" d="${path}"/>${points.map(({ x, y }) => mark(number - 1, x, y))}
${end !== undefined && line('lead', end.x + 7, end.y, right + 22, labels[place])}
${mark(number - 1, right + 30, labels[place])}
${words('tick', right + 58, labels[place] + 4, String(number), 'end')}
${words('label', right + 64, labels[place] + 4, clippedInside(system, label), 'start')}</g>
`;
    }),
  ]);
}

/** One of four shapes, with an open middle in every other round of the hues: a hue and a mark meet again after 12. */
function mark(place: number, x: number, y: number): Content {
  const style = Math.floor(place / HUES) % 2 === 0 ? 'mark' : 'mark open';
  const at = (dx: number, dy: number) => `${px(x + dx)} ${px(y + dy)}`;
  const paths = [
    `M${at(-3.5, 0)}A3.5 3.5 0 1 1 ${at(3.5, 0)}A3.5 3.5 0 1 1 ${at(-3.5, 0)}Z`,
    `M${at(-3.2, -3.2)}L${at(3.2, -3.2)}L${at(3.2, 3.2)}L${at(-3.2, 3.2)}Z`,
    `M${at(0, -4.2)}L${at(4, 3)}L${at(-4, 3)}Z`,
    `M${at(0, -4.6)}L${at(4.6, 0)}L${at(0, 4.6)}L${at(-4.6, 0)}Z`,
  ];
  return html`<path class="${style}" d="${paths[place % paths.length]}"/>`;
}
