import { number } from '../../evaluation/index.ts';
import { type Distribution, LENGTHS, type LengthName } from '../results/distributions.ts';
import type { ResultMetric } from '../results/metrics.ts';
import type { Difference, Result, ResultRow } from '../results/result.ts';
import type { Run } from '../runner.ts';
import { describeFailure } from './provenance.ts';
import type { Cell, Chart, Section, Table } from './report.ts';

const ALPHA = 0.05;

export function resultSections(result: Result): Section[] {
  return [
    { title: 'Means', note: SCATTER_NOTE, parts: [...scatter(result), meansTable(result)] },
    differencesSection(result),
    lengthsSection(result),
    placesSection(result),
    breakdownsSection(result),
  ].filter(({ parts }) => parts.length > 0);
}

export function mainOf({ metrics, main }: Result): ResultMetric | undefined {
  return metrics.find(({ key }) => key === main);
}

export function estimateCell(
  { figures, digests }: Pick<ResultRow, 'figures' | 'digests'>,
  key: string,
  digits: number,
): Cell {
  const estimate = figures[key];
  return estimate === undefined ? '–' : { estimate, digits, expected: digests };
}

const SCATTER_NOTE =
  'A system that is better, and not only longer, lies above others of its length. The dark dot is the baseline.';

function scatter(result: Result): Chart[] {
  const main = mainOf(result);
  if (main === undefined) return [];
  const points = result.arms.flatMap(({ name, words, figures }) => {
    const [x, y] = [words.value, figures[main.key].value];
    return x === null || y === null ? [] : [{ name, x, y, isStrong: name === result.baseline }];
  });
  if (points.length === 0) return [];
  const title = `Words of the text and ${main.title}, mean of each system`;
  return [{ kind: 'points', title, x: 'words of the text', y: main.title, points }];
}

function meansTable({ arms, metrics }: Result): Table {
  const pooled = metrics.some(({ isPooled }) => isPooled) ? '; of SummHay over the insights of all texts as one' : '';
  const failures = (['failed', 'partial'] as const).filter((kind) => arms.some((row) => row[kind] > 0));
  return {
    kind: 'table',
    title: `means, with 95% bootstrap intervals${pooled}`,
    heads: ['system', 'n', ...failures, ...metrics.map(({ title }) => title)],
    rows: arms.map((row) => [
      row.name,
      row.digests,
      ...failures.map((kind) => row[kind]),
      ...metrics.map(({ key, digits }) => estimateCell(row, key, digits)),
    ]),
  };
}

function differencesSection({ arms, metrics, baseline }: Result): Section {
  const parts = metrics.flatMap(({ key, title, digits }): (Table | Chart)[] => {
    const rows = arms.flatMap(({ name, differences }) => {
      const difference = differences?.[key];
      return difference === undefined ? [] : [{ name, difference }];
    });
    if (rows.length === 0) return [];
    return [
      {
        kind: 'intervals',
        title: `${title}, less "${baseline}"`,
        rows: rows.map(({ name, difference }) => ({ name, ...difference, isStrong: isSignificant(difference) })),
        line: 0,
      },
      {
        kind: 'table',
        title: `${title}, less "${baseline}"`,
        heads: ['system', 'pairs', 'difference, 95% bootstrap interval', 't', 'df', 'p', 'p, Holm'],
        rows: rows.map(({ name, difference }) => {
          const { n, statistic, degreesOfFreedom, p, adjustedP } = difference;
          const estimate = { estimate: difference, digits };
          return [name, n, estimate, number(statistic, 2), degreesOfFreedom ?? '–', { p }, { p: adjustedP }];
        }),
      },
    ];
  });
  const note = `Paired by case: mean and 95% bootstrap interval. A filled dot has p < ${ALPHA} by the paired t-test, adjusted for the number of systems (Holm).`;
  return { title: 'Differences from the baseline', note, parts };
}

function isSignificant({ adjustedP }: Difference): boolean {
  return adjustedP !== null && adjustedP < ALPHA;
}

const LENGTH_TITLES: Readonly<Record<LengthName, string>> = {
  documents: 'share of documents selected',
  words: 'words of the text',
  wordsPerSentence: 'words of a sentence',
};
const LENGTH_DIGITS: Readonly<Record<LengthName, number>> = { documents: 2, words: 0, wordsPerSentence: 0 };

function lengthsSection({ arms, scales }: Result): Section {
  const told = arms.flatMap(({ name, distributions }) => (distributions === null ? [] : [{ name, distributions }]));
  if (told.length === 0) return { title: 'Lengths', parts: [] };
  const charts = LENGTHS.map((length): Chart => {
    const { from, to, bins, isCut } = scales[length];
    const digits = LENGTH_DIGITS[length];
    const ends = Array.from({ length: bins }, (_, bin) => number(from + ((bin + 1) * (to - from)) / bins, digits));
    return {
      kind: 'lines',
      title: `${LENGTH_TITLES[length]}: percent of the values in each bin`,
      x: `up to${isCut ? '; the last bin holds what is more' : ''}`,
      places: ends,
      lines: told.map(({ name, distributions: { [length]: own } }) => ({ name, values: percents(own) })),
    };
  });
  const table: Table = {
    kind: 'table',
    title: 'quartiles, of texts and of sentences',
    heads: ['system', ...LENGTHS.map((length) => LENGTH_TITLES[length])],
    rows: told.map(({ name, distributions }) => [
      name,
      ...LENGTHS.map((length) => {
        const { p25, p50, p75 } = distributions[length].quantiles;
        return [p25, p50, p75].map((value) => number(value, LENGTH_DIGITS[length])).join(' / ');
      }),
    ]),
  };
  return { title: 'Documents and lengths', parts: [...charts, table] };
}

function percents({ counts, n }: Distribution): (number | null)[] {
  return counts.map((count) => (n === 0 ? null : (100 * count) / n));
}

function placesSection({ arms, curves, sensitivities }: Result): Section {
  const parts: (Table | Chart)[] = [];
  if (curves.length > 0) {
    const places = curves[0].bins.map(({ from, to }) => `${Math.round(100 * from)}-${Math.round(100 * to)}%`);
    const lines = curves.map(({ system, bins }) => ({
      name: system,
      values: bins.map(({ coverage }) => coverage.value),
    }));
    const title = 'source coverage by the place of the document in the input';
    parts.push({ kind: 'lines', title, x: 'place of the document in the input, from first to last', places, lines });
    // A system without answers has a row, but no line in the chart.
    const rows = arms.map(({ name }): Cell[] => {
      const bins = curves.find(({ system }) => system === name)?.bins;
      return [name, ...places.map((_, bin): Cell => (bins ? { estimate: bins[bin].coverage, digits: 1 } : '–'))];
    });
    parts.push({ kind: 'table', title: `${title}, with 95% bootstrap intervals`, heads: ['system', ...places], rows });
  }
  if (sensitivities.length > 0) {
    parts.push({
      kind: 'table',
      title: 'position sensitivity: largest change of the mean joint score (of coverage, if citations are not scored)',
      heads: ['system', 'largest change'],
      rows: sensitivities.map(({ system, sensitivity }) => [system, { estimate: sensitivity, digits: 1 }]),
    });
  }
  return { title: 'Places of documents', parts };
}

const BREAKDOWN_TITLES: Readonly<Record<string, string>> = {
  questionKind: 'kind of question',
  order: 'order of documents',
  inputWords: 'input length',
  outputWords: 'output length',
};

function breakdownsSection({ breakdowns, metrics }: Result): Section {
  const parts = breakdowns.map(({ by, rows }): Table => {
    const shown = metrics.filter(({ key }) => rows[0]?.figures[key] !== undefined);
    const title = BREAKDOWN_TITLES[by] ?? by;
    return {
      kind: 'table',
      title: `by ${title}`,
      heads: [title, 'system', 'n', ...shown.map((metric) => metric.title)],
      rows: rows.map((row) => {
        const figures = shown.map(({ key, digits }) => estimateCell(row, key, digits));
        return [row.value ?? '(not given)', row.name, row.digests, ...figures];
      }),
      names: 2,
    };
  });
  return { title: 'Breakdowns', parts };
}

/** Page only: the command prints failures itself. */
export function failedSections(
  failed: Run<{ readonly datum: string; readonly arm: string }, unknown>['failed'],
): Section[] {
  if (failed.length === 0) return [];
  const rows = failed.map(({ item: { datum, arm }, failure }) => [datum, arm, describeFailure(failure)]);
  const table: Table = { kind: 'table', title: 'failed', heads: ['case', 'system', 'problem'], rows, isPageOnly: true };
  return [{ title: 'Failed', parts: [table] }];
}
