import { fixed } from '../../evaluation/index.ts';
import type { ArmReport, ComparisonReport } from '../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../comparison/metrics.ts';
import { SHAPES, type ShapeName } from '../comparison/shapes.ts';
import { printEstimate } from './print-estimate.ts';
import { textTable } from './text-table.ts';

export const SHAPE_TITLES: Readonly<Record<ShapeName, string>> = {
  documents: 'share of documents selected',
  words: 'words of summary',
  wordsPerSentence: 'words of sentence',
};
/** After the point. */
export const SHAPE_DIGITS: Readonly<Record<ShapeName, number>> = { documents: 2, words: 0, wordsPerSentence: 0 };

/** A comparison as text for a terminal: means, differences from the baseline metric by metric, and lengths. */
export function printComparison(report: ComparisonReport): string {
  const { name, baseline, arms, metrics } = report;
  const head = `${name}: ${countOf(report)}, against "${baseline}"`;
  const others = arms.filter(({ differences }) => differences !== null);
  const sections = [`${head}\n\nmeans\n${meansTable(arms, metrics)}`];
  if (others.length > 0) {
    for (const metric of metrics) sections.push(differencesTable(metric, others));
  }
  sections.push(`quartiles, of digests and of sentences\n${shapesTable(arms)}`);
  return sections.join('\n\n');
}

/** "3 arms over 20 data". */
export function countOf({ arms, data }: ComparisonReport): string {
  const counted = arms.length === 1 ? '1 arm' : `${arms.length} arms`;
  return `${counted} over ${data === 1 ? '1 datum' : `${data} data`}`;
}

function meansTable(arms: readonly ArmReport[], metrics: readonly ComparisonMetric[]): string {
  const rows = arms.map(({ name, digests, figures }) => [
    name,
    String(digests),
    ...metrics.map(({ key, digits }) => {
      const { value, n } = figures[key];
      return `${number(value, digits)}${value === null || n === digests ? '' : ` n=${n}`}`;
    }),
  ]);
  return textTable(['arm', 'n', ...metrics.map(({ title }) => title)], rows);
}

function differencesTable({ key, title, digits }: ComparisonMetric, arms: readonly ArmReport[]): string {
  const rows = arms.flatMap(({ name, digests, differences }) => {
    const difference = differences?.[key];
    if (difference === undefined) return [];
    const { p, adjustedP } = difference;
    return [[name, printEstimate(difference, digits, digests), printP(p), printP(adjustedP)]];
  });
  const heads = ['arm', 'difference, 95% bootstrap interval', 'p', 'p, Holm'];
  return `${title}, less the baseline\n${textTable(heads, rows)}`;
}

function shapesTable(arms: readonly ArmReport[]): string {
  const rows = arms.map(({ name, distributions }) => [
    name,
    ...SHAPES.map((shape) => quartiles(distributions[shape], shape)),
  ]);
  return textTable(['arm', ...SHAPES.map((shape) => SHAPE_TITLES[shape])], rows);
}

/** First quartile, median and third. */
export function quartiles({ quantiles: { p25, p50, p75 } }: ArmReport['distributions'][ShapeName], shape: ShapeName) {
  return [p25, p50, p75].map((value) => number(value, SHAPE_DIGITS[shape])).join(' / ');
}

/** A probability to three places; what is smaller is told to be. */
export function printP(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

function number(value: number | null, digits: number): string {
  return value === null ? '–' : fixed(value, digits);
}
