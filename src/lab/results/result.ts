import type { VariantOptions } from '../../contract/index.ts';
import { adjustPValues, sum, twoSidedP } from '../../evaluation/index.ts';
import { groupBy } from '../../text/index.ts';
import type { Run } from '../runner.ts';
import { type Estimate, estimateMean, estimatePairedMeans, type PartSum } from './estimate.ts';
import type { ResultMetric, ScoredText } from './metrics.ts';
import { type DocumentOrder, type EstimatedBin, estimatedCurve, orderSensitivity } from './positions.ts';

/** Sorted by case, so that intervals do not depend on file order. */
export type ScoredRun = Pick<Run<{ readonly arm: string; readonly datum: string }, ScoredText>, 'made' | 'failed'>;

interface Difference extends Estimate, PairedTTest {
  /** Holm-adjusted over systems, for each metric separately. */
  readonly adjustedP: number | null;
}

export interface ResultRow {
  readonly name: string;
  readonly options: VariantOptions;
  readonly digests: number;
  readonly failed: number;
  readonly partial: number;
  /** Means over cases, or micro-averages (`ScoredText.over`). */
  readonly figures: Readonly<Record<string, Estimate>>;
  readonly differences: Readonly<Record<string, Difference>> | null;
}

export interface Result {
  readonly name: string;
  readonly baseline: string;
  readonly data: number;
  readonly metrics: readonly ResultMetric[];
  readonly main: string | null;
  readonly arms: readonly ResultRow[];
  /** Systems skipped without a language model. */
  readonly skipped: readonly string[];
  readonly curves: readonly { readonly system: string; readonly bins: readonly EstimatedBin[] }[];
  readonly sensitivities: readonly { readonly system: string; readonly sensitivity: Estimate }[];
  readonly breakdowns: readonly {
    readonly by: string;
    readonly rows: readonly (Pick<ResultRow, 'name' | 'digests' | 'figures'> & { readonly value: string | null })[];
  }[];
}

interface ResultOptions extends Pick<Result, 'name' | 'baseline' | 'metrics'> {
  readonly systems: readonly Pick<ResultRow, 'name' | 'options'>[];
  readonly skipped?: readonly string[] | undefined;
  /** Document order of each text, in the order of `made`, and its system regardless of order. */
  readonly orders: readonly ({ readonly family: string; readonly order: DocumentOrder } | undefined)[];
  /** The value of each text, in the order of `made`. */
  readonly breakdowns?:
    | readonly {
        readonly by: string;
        readonly values: readonly (string | null)[];
        readonly metrics: readonly ResultMetric[];
      }[]
    | undefined;
}

/** Means with 95% bootstrap intervals over the cases, and paired differences from the baseline with t-tests. */
export function resultOf(
  { name, systems, baseline, metrics, skipped = [], orders, breakdowns = [] }: ResultOptions,
  { made, failed }: ScoredRun,
): Result {
  const ran = systems.filter((system) => !skipped.includes(system.name));
  const of = (system: string) => made.filter(({ item }) => item.arm === system);
  const names = ran.map((each) => each.name);
  const differences = differencesOf(names, baseline, metrics, of);
  return {
    ...{ name, baseline, metrics, skipped },
    data: new Set([...made, ...failed].map(({ item }) => item.datum)).size,
    main: (metrics.find(({ key }) => !key.startsWith('digest.')) ?? metrics[0])?.key ?? null,
    arms: ran.map((system) => {
      const own = of(system.name);
      return {
        ...rowOf(system.name, own, metrics),
        options: system.options,
        failed: failed.filter(({ item }) => item.arm === system.name).length,
        partial: own.filter(({ result }) => result.isPartial).length,
        differences: differences.get(system.name) ?? null,
      };
    }),
    curves: ran.flatMap((system) => {
      const placed = of(system.name).flatMap(({ item, result: { byPosition = null } }) =>
        byPosition === null ? [] : [{ id: item.datum, byPosition }],
      );
      return placed.length === 0 ? [] : [{ system: system.name, bins: estimatedCurve(placed) }];
    }),
    sensitivities: sensitivitiesOf(made, orders),
    breakdowns: breakdowns.map(({ by, values, metrics: shown }) => ({
      by,
      rows: inOrder(values).flatMap((value) => {
        const there = made.filter((_, place) => values[place] === value);
        return ran.flatMap((system) => {
          const own = there.filter(({ item }) => item.arm === system.name);
          return own.length === 0 ? [] : [{ value, ...rowOf(system.name, own, shown) }];
        });
      }),
    })),
  };
}

function inOrder(values: readonly (string | null)[]): (string | null)[] {
  const named = values.filter((value) => value !== null);
  return [...new Set(named.sort()), ...(named.length < values.length ? [null] : [])];
}

type Made = ScoredRun['made'];

function rowOf(name: string, made: Made, metrics: readonly ResultMetric[]) {
  const clusters = made.map(({ item }) => item.datum);
  const figures = metrics.map(({ key }): [string, Estimate] => {
    const values = made.map(({ result }) => result.figures[key] ?? null);
    const parts = made.map(({ result }) => result.over[key] ?? 1);
    return [key, estimateMean(values, clusters, parts)];
  });
  return { name, digests: made.length, figures: Object.fromEntries(figures) };
}

function sensitivitiesOf(made: Made, orders: ResultOptions['orders']): Result['sensitivities'] {
  const scores = made.flatMap(({ item, result: { figures, over } }, place) => {
    const ordered = orders[place];
    const kind = typeof figures['labelled.coverage'] === 'number' ? 'labelled' : 'summhay';
    const coverage = figures[`${kind}.coverage`] ?? null;
    if (ordered === undefined || coverage === null) return [];
    const parts = { coverage: over[`${kind}.coverage`] ?? 1, joint: over[`${kind}.joint`] ?? 1 };
    return [{ ...ordered, id: item.datum, coverage, joint: figures[`${kind}.joint`] ?? null, over: parts }];
  });
  return [...groupBy(scores, ({ family }) => family)].flatMap(([system, own]) => {
    const sensitivity = orderSensitivity(own);
    return sensitivity === null ? [] : [{ system, sensitivity }];
  });
}

/** Differences from the baseline by system, then by metric. */
function differencesOf(
  systems: readonly string[],
  baseline: string,
  metrics: readonly ResultMetric[],
  of: (system: string) => Made,
): ReadonlyMap<string, Readonly<Record<string, Difference>>> {
  if (!systems.includes(baseline)) return new Map();
  const found = new Map(systems.map((system): [string, Record<string, Difference>] => [system, {}]));
  found.delete(baseline);
  for (const { key, isPooled } of metrics) {
    const theirs = partsByCase(of(baseline), key);
    const cells = [...found].map(([system, all]) => {
      return { all, difference: differenceOf(partsByCase(of(system), key), theirs, isPooled) };
    });
    const tested = cells.filter(({ difference }) => difference.p !== null);
    const values = tested.map(({ difference }) => difference.p);
    const adjusted = adjustPValues(values, 'holm');
    for (const cell of cells) {
      cell.all[key] = { ...cell.difference, adjustedP: adjusted[tested.indexOf(cell)] ?? null };
    }
  }
  return found;
}

type Parts = ReadonlyMap<string, PartSum>;

function differenceOf(mine: Parts, theirs: Parts, isPooled: boolean): Estimate & PairedTTest {
  const pairs = [...mine].flatMap(([id, ours]) => {
    const other = theirs.get(id);
    return other === undefined ? [] : [{ id, ours, other }];
  });
  // Exclude means over no parts, such as citations of a text that covers no insight.
  const tested = pairs.filter(({ ours, other }) => ours.of > 0 && other.of > 0);
  const differences = tested.map(({ ours, other }) => ours.sum / ours.of - other.sum / other.of);
  const ids = tested.map(({ id }) => id);
  return { ...(isPooled ? estimatePairedMeans(pairs) : estimateMean(differences, ids)), ...pairedTTest(differences) };
}

function partsByCase(made: Made, key: string): Parts {
  const parts = made.flatMap(({ item, result: { figures, over } }) => {
    const [figure, of] = [figures[key] ?? null, over[key] ?? 1];
    return figure === null && of !== 0 ? [] : [{ id: item.datum, sum: of * (figure ?? 0), of }];
  });
  return new Map(
    [...groupBy(parts, ({ id }) => id)].map(([id, own]) => [
      id,
      { sum: sum(own.map((each) => each.sum)), of: sum(own.map(({ of }) => of)) },
    ]),
  );
}

interface PairedTTest {
  /** Null, like `p`, if the differences do not vary. */
  readonly statistic: number | null;
  /** Pairs less 1; null with fewer than two pairs. */
  readonly degreesOfFreedom: number | null;
  readonly p: number | null;
}

/** Relative standard errors below this are rounding; R's `t.test` refuses them too. */
const ROUNDING = 10 * Number.EPSILON;

/** Student's t-test of a zero mean of paired differences ("Student" 1908). */
export function pairedTTest(differences: readonly number[]): PairedTTest {
  const n = differences.length;
  if (n < 2) return { statistic: null, degreesOfFreedom: null, p: null };
  const mean = sum(differences) / n;
  const variance = sum(differences.map((each) => (each - mean) ** 2)) / (n - 1);
  const error = Math.sqrt(variance / n);
  const degreesOfFreedom = n - 1;
  if (error <= ROUNDING * Math.abs(mean)) return { statistic: null, degreesOfFreedom, p: null };
  const statistic = mean / error;
  return { statistic, degreesOfFreedom, p: twoSidedP(statistic, degreesOfFreedom) };
}
