import { z } from 'zod';
import type { TypeOf } from '../../contract/index.ts';
import { METRICS, summHay } from '../../evaluation/index.ts';
import { printTable } from '../report/report.ts';
import { kendall, pearson } from './statistics.ts';

const figure = z.number().nullable();

/** What is read of a report of `benchmark run --json`. */
export const judgedReportSchema = z.object({
  judge: summHay.answer.shape.judge,
  sets: z.array(
    z.object({
      set: z.string(),
      arms: z.array(z.object({ name: z.string(), figures: z.record(z.string(), z.object({ value: figure })) })),
      outputs: z.array(
        z.object({ datum: z.string(), arm: z.string(), figures: z.record(z.string(), figure.optional()) }),
      ),
    }),
  ),
});
export type JudgedSet = TypeOf<typeof judgedReportSchema>['sets'][number];

/** Null if a series does not vary. */
interface Correlations {
  readonly n: number;
  readonly kendall: number | null;
  readonly pearson: number | null;
}

interface JudgeCorrelation {
  readonly set: string;
  readonly metric: string;
  readonly systems: Correlations;
  readonly outputs: Correlations;
}

/** Kendall's tau-b and Pearson's correlation of two judges, by metric (Qi et al. 2024, table 3). */
export function judgeCorrelations(ours: readonly JudgedSet[], theirs: readonly JudgedSet[]): JudgeCorrelation[] {
  const judged = METRICS.flatMap(({ prefix, figures }) => figures.map(({ name }) => `${prefix}.${name}`));
  return ours.flatMap((mine) => {
    const other = theirs.find(({ set }) => set === mine.set);
    if (other === undefined) return [];
    const outputs = pairsOf(mine.outputs, other.outputs, ({ datum, arm }) => JSON.stringify([datum, arm]));
    const systems = pairsOf(mine.arms, other.arms, ({ name }) => name);
    return [...judged, 'sources.relevantCoverage'].flatMap((metric): JudgeCorrelation[] => {
      const single = correlationsOf(outputs.map((pair) => pair.map(({ figures }) => figures[metric] ?? null)));
      const means = correlationsOf(systems.map((pair) => pair.map(({ figures }) => figures[metric]?.value ?? null)));
      return single.n === 0 ? [] : [{ set: mine.set, metric, systems: means, outputs: single }];
    });
  });
}

/** The first output whose word counts differ, so that the judges read different texts; null if there is none. */
export function otherOutput(ours: readonly JudgedSet[], theirs: readonly JudgedSet[]) {
  const keyed = (sets: readonly JudgedSet[]) =>
    sets.flatMap(({ set, outputs }) => outputs.map((output) => ({ ...output, set })));
  const pairs = pairsOf(keyed(ours), keyed(theirs), ({ set, datum, arm }) => JSON.stringify([set, datum, arm]));
  const differing = pairs.find(([a, b]) => a.figures['digest.words'] !== b.figures['digest.words']);
  return { shared: pairs.length, differing: differing?.[0] ?? null };
}

function pairsOf<Item>(ours: readonly Item[], theirs: readonly Item[], keyOf: (item: Item) => string) {
  const others = new Map(theirs.map((each) => [keyOf(each), each]));
  return ours.flatMap((mine): (readonly [Item, Item])[] => {
    const other = others.get(keyOf(mine));
    return other === undefined ? [] : [[mine, other]];
  });
}

function correlationsOf(pairs: readonly (readonly (number | null)[])[]): Correlations {
  const known = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [[a, b] as const]));
  const [xs, ys] = [known.map(([a]) => a), known.map(([, b]) => b)];
  return { n: known.length, kendall: kendall(xs, ys), pearson: pearson(xs, ys) };
}

export function printCorrelations(rows: readonly JudgeCorrelation[]): string {
  const heads = ['set', 'metric', ...['systems', 'outputs'].flatMap((of) => [of, 'Kendall', 'Pearson'])];
  const cells = rows.map(({ set, metric, systems, outputs }) => [
    ...[set, metric],
    ...[systems, outputs].flatMap(({ n, kendall, pearson }) => {
      return [n, ...[kendall, pearson].map((value) => ({ estimate: { value, low: null, high: null, n }, digits: 3 }))];
    }),
  ]);
  const title = 'correlations of the means of systems, and of single outputs';
  return printTable({ title, heads, rows: cells, names: 2 });
}
