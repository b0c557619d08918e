import { fixed } from '../../../evaluation/index.ts';
import type { Estimate } from '../../bulk/estimate.ts';
import type { ComparisonReport } from '../../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../../comparison/metrics.ts';
import { type Html, html } from '../../html/html.ts';
import { printEstimate } from '../print-estimate.ts';
import { axisFor, logAxis } from './axis.ts';
import { placeLabels } from './place-labels.ts';
import { ALONE, type Placement } from './placement.ts';
import { dot, drawing, line, words } from './svg.ts';

const [WIDTH, HEIGHT] = [1000, 520];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 970, 14, 466];
/** From a dot to its number. */
const DISTANCE = 14;
/** From which ratio on summaries of different lengths need a logarithmic axis. */
const WIDE = 8;

/** The means of all arms: words of the summary across, a score up. A score that length buys lies on a rising line. */
export function scatter(
  { arms, baseline }: ComparisonReport,
  { key, title, digits }: ComparisonMetric,
  { words: naming, numberOf }: Placement = ALONE,
): Html {
  const shown = arms.flatMap(({ name, words: long, figures: { [key]: score } }, place) =>
    long.value === null || score.value === null
      ? []
      : [{ name, number: numberOf(name, place), long, score, x: long.value, y: score.value }],
  );
  const lengths = shown.map(({ x }) => x);
  const isWide = lengths.length > 0 && Math.min(...lengths) > 0 && Math.max(...lengths) > WIDE * Math.min(...lengths);
  const across = isWide ? logAxis(lengths, LEFT, RIGHT) : axisFor(lengths, LEFT, RIGHT, 8);
  const up = axisFor(
    shown.flatMap(({ score }) => endsOf(score)),
    BOTTOM,
    TOP,
    6,
  );
  const labels = placeLabels(
    shown.map(({ x, y }) => ({ x: across.at(x), y: up.at(y) })),
    DISTANCE,
  );
  return drawing(`Words of the summary and ${title}, mean of each ${naming.one}`, { width: WIDTH, height: HEIGHT }, [
    across.ticks.map((tick) => [
      line('grid', across.at(tick), TOP, across.at(tick), BOTTOM),
      words('tick', across.at(tick), BOTTOM + 18, fixed(tick, across.digits), 'middle'),
    ]),
    up.ticks.map((tick) => [
      line('grid', LEFT, up.at(tick), RIGHT, up.at(tick)),
      words('tick', LEFT - 8, up.at(tick) + 4, fixed(tick, up.digits), 'end'),
    ]),
    words(
      'axis',
      (LEFT + RIGHT) / 2,
      HEIGHT - 10,
      isWide ? 'words of the summary, logarithmic' : 'words of the summary',
      'middle',
    ),
    html`<text class="axis" transform="translate(16 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${title}</text>`,
    shown.map(
      ({ x, score: { low, high } }) =>
        low !== null && high !== null && line('whisker', across.at(x), up.at(low), across.at(x), up.at(high)),
    ),
    shown.map(({ name, number, long, score, x, y }, place) => {
      const told = `${number} ${name}: ${title} ${printEstimate(score, digits)}, words ${printEstimate(long, 0)}`;
      const { x: left, y: top } = labels[place];
      return [
        dot(name === baseline ? 'base' : 'told', across.at(x), up.at(y), 5.5, told),
        words(name === baseline ? 'number strong' : 'number', left, top + 4, String(number), 'middle'),
      ];
    }),
  ]);
}

function endsOf({ value, low, high }: Estimate): number[] {
  return [value, low, high].filter((end) => end !== null);
}
