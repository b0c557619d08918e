import type { VariantOptions } from '../../contract/index.ts';
import { adjustPValues, sum, twoSidedP } from '../../evaluation/index.ts';
import { groupBy } from '../../text/index.ts';
import type { Run } from '../runner.ts';
import { type Distributions, distributionsOf, type LengthName, type Scale, scalesOf } from './distributions.ts';
import { type Estimate, estimateMean, estimatePairedMeans, type PartSum } from './estimate.ts';
import type { ResultMetric, ScoredText } from './metrics.ts';
import { type DocumentOrder, type EstimatedBin, estimatedCurve, orderSensitivity } from './positions.ts';

interface TextName {
  readonly arm: string;
  readonly datum: string;
}

/** Sorted by case, so that intervals do not depend on file order. */
export type ScoredRun<Name extends TextName = TextName> = Pick<Run<Name, ScoredText>, 'made' | 'failed'>;

export interface Difference extends Estimate, PairedTTest {
  /** Holm-adjusted over systems, for each metric separately. */
  readonly adjustedP: number | null;
}

export interface ResultRow {
  readonly name: string;
  readonly options: VariantOptions;
  readonly digests: number;
  readonly failed: number;
  readonly partial: number;
  readonly words: Estimate;
  /** Means over cases, or micro-averages (`ScoredText.over`). */
  readonly figures: Readonly<Record<string, Estimate>>;
  readonly differences: Readonly<Record<string, Difference>> | null;
  readonly distributions: Distributions | null;
}

interface BreakdownRow extends Pick<ResultRow, 'name' | 'digests' | 'figures'> {
  readonly value: string | null;
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
  readonly scales: Readonly<Record<LengthName, Scale>>;
  readonly curves: readonly { readonly system: string; readonly bins: readonly EstimatedBin[] }[];
  readonly sensitivities: readonly { readonly system: string; readonly sensitivity: Estimate }[];
  readonly breakdowns: readonly { readonly by: string; readonly rows: readonly BreakdownRow[] }[];
}

interface ResultOptions<Name extends TextName> {
  readonly name: string;
  readonly systems: readonly { readonly name: string; readonly options: VariantOptions }[];
  readonly baseline: string;
  readonly metrics: readonly ResultMetric[];
  readonly skipped?: readonly string[] | undefined;
  /** Document order of a text, and its system regardless of order. */
  readonly orderOf?:
    | ((name: Name) => { readonly family: string; readonly order: DocumentOrder } | undefined)
    | undefined;
  /** Value of each text, and all values in table order. */
  readonly breakdowns?:
    | readonly {
        readonly by: string;
        readonly values: readonly (string | null)[];
        readonly inOrder: readonly (string | null)[];
        readonly metrics: readonly ResultMetric[];
      }[]
    | undefined;
}

/** Means with 95% bootstrap intervals over the cases, and paired differences from the baseline with t-tests. */
export function resultOf<Name extends TextName>(
  { name, systems, baseline, metrics, skipped = [], orderOf, breakdowns = [] }: ResultOptions<Name>,
  { made, failed }: ScoredRun<Name>,
): Result {
  const texts = made.map(({ result }) => result);
  const scales = scalesOf(texts);
  const ran = systems.filter((system) => !skipped.includes(system.name));
  const of = (system: string) => made.filter(({ item }) => item.arm === system);
  const differences = differencesOf(
    ran.map((each) => each.name),
    baseline,
    metrics,
    of,
  );
  return {
    name,
    baseline,
    data: new Set([...made, ...failed].map(({ item }) => item.datum)).size,
    metrics,
    main: metrics.find(({ key }) => !key.startsWith('digest.'))?.key ?? metrics[0]?.key ?? null,
    arms: ran.map((system) => {
      const own = of(system.name);
      const ownTexts = own.map(({ result }) => result);
      return {
        ...rowOf(system.name, own, metrics),
        options: system.options,
        failed: failed.filter(({ item }) => item.arm === system.name).length,
        partial: ownTexts.filter(({ isPartial }) => isPartial).length,
        words: meanOf('digest.words', own),
        differences: differences.get(system.name) ?? null,
        distributions: texts.some(({ sentenceWords }) => sentenceWords.length > 0)
          ? distributionsOf(ownTexts, scales)
          : null,
      };
    }),
    skipped,
    scales,
    curves: ran.flatMap((system) => {
      const placed = of(system.name).flatMap(({ item, result: { byPosition = null } }) =>
        byPosition === null ? [] : [{ id: item.datum, byPosition }],
      );
      return placed.length === 0 ? [] : [{ system: system.name, bins: estimatedCurve(placed) }];
    }),
    sensitivities: orderOf === undefined ? [] : sensitivitiesOf(made, orderOf),
    breakdowns: breakdowns.map(({ by, values, inOrder, metrics: shown }) => ({
      by,
      rows: inOrder.flatMap((value) => {
        const there = made.filter((_, place) => values[place] === value);
        return ran.flatMap((system) => {
          const own = there.filter(({ item }) => item.arm === system.name);
          return own.length === 0 ? [] : [{ value, ...rowOf(system.name, own, shown) }];
        });
      }),
    })),
  };
}

type Made = ScoredRun['made'];

function rowOf(name: string, made: Made, metrics: readonly ResultMetric[]) {
  const figures = Object.fromEntries(metrics.map(({ key }) => [key, meanOf(key, made)]));
  return { name, digests: made.length, figures };
}

function meanOf(key: string, made: Made): Estimate {
  return estimateMean(
    made.map(({ result: { figures } }) => figures[key] ?? null),
    made.map(({ item }) => item.datum),
    made.map(({ result: { over } }) => over[key] ?? 1),
  );
}

function sensitivitiesOf<Name extends TextName>(
  made: ScoredRun<Name>['made'],
  orderOf: NonNullable<ResultOptions<Name>['orderOf']>,
): Result['sensitivities'] {
  const scores = made.flatMap(({ item, result: { figures, over } }) => {
    const ordered = orderOf(item);
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

function differencesOf(
  systems: readonly string[],
  baseline: string,
  metrics: readonly ResultMetric[],
  of: (system: string) => Made,
): ReadonlyMap<string, Readonly<Record<string, Difference>>> {
  if (!systems.includes(baseline)) return new Map();
  const others = systems.filter((system) => system !== baseline);
  const found = new Map(others.map((system): [string, Record<string, Difference>] => [system, {}]));
  for (const { key, isSteady, isPooled } of metrics) {
    const theirs = partsByCase(of(baseline), key);
    const cells = others.map((system) => {
      const mine = partsByCase(of(system), key);
      const cases = [...mine.keys()].filter((id) => theirs.has(id));
      const pairs = cases.flatMap((id) => {
        const [ours, other] = [mine.get(id), theirs.get(id)];
        return ours === undefined || other === undefined ? [] : [{ id, ours, other }];
      });
      // Exclude means over no parts, such as citations of a text that covers no insight.
      const tested = pairs.filter(({ ours, other }) => ours.of > 0 && other.of > 0);
      const differences = tested.map(({ ours, other }) => ours.sum / ours.of - other.sum / other.of);
      const test = pairedTTest(differences);
      const estimate = isPooled
        ? estimatePairedMeans(
            pairs.map(({ ours }) => ours),
            pairs.map(({ other }) => other),
            pairs.map(({ id }) => id),
          )
        : estimateMean(
            differences,
            tested.map(({ id }) => id),
          );
      return { system, difference: { ...estimate, ...test, p: isSteady ? test.p : null } };
    });
    const counted = cells.filter(({ difference }) => difference.p !== null);
    const adjusted = adjustPValues(
      counted.map(({ difference }) => difference.p),
      'holm',
    );
    for (const cell of cells) {
      const adjustedP = adjusted[counted.indexOf(cell)] ?? null;
      Object.assign(found.get(cell.system) ?? {}, { [key]: { ...cell.difference, adjustedP } });
    }
  }
  return found;
}

function partsByCase(made: Made, key: string): ReadonlyMap<string, PartSum> {
  const known = made.filter(({ result: { figures, over } }) => (figures[key] ?? null) !== null || over[key] === 0);
  return new Map(
    [...groupBy(known, ({ item }) => item.datum)].map(([id, own]) => {
      const parts = own.map(({ result: { figures, over } }) => {
        const of = over[key] ?? 1;
        return { sum: of * (figures[key] ?? 0), of };
      });
      return [id, { sum: sum(parts.map((each) => each.sum)), of: sum(parts.map(({ of }) => of)) }];
    }),
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
