import { METRICS } from '../../evaluation/index.ts';
import { kendall, pearson } from './statistics.ts';

export interface JudgedSet {
  readonly set: string;
  readonly arms: readonly {
    readonly name: string;
    readonly figures: Readonly<Record<string, { readonly value: number | null }>>;
  }[];
  readonly outputs: readonly {
    readonly datum: string;
    readonly arm: string;
    readonly figures: Readonly<Record<string, number | null | undefined>>;
  }[];
}

/** Null if a series does not vary. */
interface Agreement {
  readonly n: number;
  readonly kendall: number | null;
  readonly pearson: number | null;
}

export interface JudgeCorrelation {
  readonly set: string;
  readonly metric: string;
  readonly systems: Agreement;
  readonly outputs: Agreement;
}

/** Kendall's tau-b and Pearson's correlation of two judges, by metric (Qi et al. 2024, table 3). */
export function judgeCorrelations(ours: readonly JudgedSet[], theirs: readonly JudgedSet[]): JudgeCorrelation[] {
  const bySet = new Map(theirs.map((each) => [each.set, each]));
  return ours.flatMap((mine) => {
    const other = bySet.get(mine.set);
    if (other === undefined) return [];
    const outputs = pairsOf(mine.outputs, other.outputs, ({ datum, arm }) => JSON.stringify([datum, arm]));
    const systems = pairsOf(mine.arms, other.arms, ({ name }) => name);
    const judged = METRICS.flatMap(({ prefix, figures }) => figures.map(({ name }) => `${prefix}.${name}`));
    return [...judged, 'sources.relevantCoverage'].flatMap((metric): JudgeCorrelation[] => {
      const single = agreementOf(outputs.map((pair) => pair.map(({ figures }) => figures[metric] ?? null)));
      const means = agreementOf(systems.map((pair) => pair.map(({ figures }) => figures[metric]?.value ?? null)));
      return single.n === 0 ? [] : [{ set: mine.set, metric, systems: means, outputs: single }];
    });
  });
}

/** The first output whose word counts differ, so that the judges read different texts; null if there is none. */
export function otherOutput(ours: readonly JudgedSet[], theirs: readonly JudgedSet[]) {
  const keyed = (sets: readonly JudgedSet[]) =>
    sets.flatMap(({ set, outputs }) => outputs.map((output) => ({ ...output, set })));
  const key = (output: ReturnType<typeof keyed>[number]) => JSON.stringify([output.set, output.datum, output.arm]);
  const pairs = pairsOf(keyed(ours), keyed(theirs), key);
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

function agreementOf(pairs: readonly (readonly (number | null)[])[]): Agreement {
  const known = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [[a, b] as const]));
  const [xs, ys] = [known.map(([a]) => a), known.map(([, b]) => b)];
  return { n: known.length, kendall: kendall(xs, ys), pearson: pearson(xs, ys) };
}
