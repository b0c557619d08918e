import { figuresOf, METRICS, type MetricName, mean, metricOf } from '../../evaluation/index.ts';
import { groupBy } from '../../text/index.ts';
import {
  type Estimate,
  type EstimatedBin,
  estimate,
  estimatedCurve,
  estimateMean,
  orderSensitivity,
} from './estimate.ts';
import { type Dimension, inCanonicalOrder, type ScoredRecord, valuesOf } from './record.ts';

/** Figures of some records of one system. */
export interface Row {
  readonly system: string | null;
  readonly records: number;
  readonly figures: Readonly<Record<string, Estimate>>;
}

interface SystemRow extends Row {
  /** The same over all texts as if they were one; null for metrics that are not averaged so. */
  readonly micro: Readonly<Record<string, Estimate>> | null;
  /** Of `summhay`, with records of all three orders. */
  readonly positionSensitivity: Estimate | null;
  /** Of `source-coverage`: coverage in each tenth of the order of documents. */
  readonly positionCurve: readonly EstimatedBin[] | null;
}

export interface Breakdown {
  readonly by: Dimension;
  /** Value null: records that do not give it. */
  readonly rows: readonly (Row & { readonly value: string | null })[];
}

export interface MetricReport {
  readonly metric: MetricName;
  readonly systems: readonly SystemRow[];
  readonly differences: readonly Difference[];
  readonly breakdowns: readonly Breakdown[];
}

interface ReportOptions {
  readonly by?: readonly Dimension[] | undefined;
  /** System that the others are compared with: the first by name where it is not given. */
  readonly baseline?: string | undefined;
}

/** Figures per metric and system with 95% intervals; the same whatever the order of the records. */
export function reportOf(scored: readonly ScoredRecord[], { by = [], baseline }: ReportOptions = {}): MetricReport[] {
  const sorted = inCanonicalOrder(scored);
  return METRICS.flatMap(({ name: metric }) => {
    const ofMetric = sorted.filter(({ result }) => result.metric === metric);
    if (ofMetric.length === 0) return [];
    const systems = bySystem(ofMetric);
    const first = systems.find(([{ item }]) => item.system === baseline) ?? systems[0];
    return [
      {
        metric,
        systems: systems.map((each) => ({
          ...rowOf(metric, each),
          micro: pooledOf(metric, each),
          positionSensitivity: orderSensitivity(each.flatMap(orderedScores)),
          positionCurve: metric === 'source-coverage' ? estimatedCurve(each.flatMap(documentsOf)) : null,
        })),
        differences: systems.filter((each) => each !== first).map((each) => differenceOf(each, first)),
        breakdowns: by.map((dimension) => breakdownOf(metric, ofMetric, dimension)),
      },
    ];
  });
}

function orderedScores({ item: { id, order }, result }: ScoredRecord) {
  if (order === undefined || result.metric !== 'summhay') return [];
  const { coverage, joint } = result;
  return [{ id, order, coverage, joint }];
}

function documentsOf({ item: { id }, result }: ScoredRecord) {
  return result.metric === 'source-coverage' ? [{ id, documents: result.documents }] : [];
}

function breakdownOf(metric: MetricName, scored: readonly ScoredRecord[], by: Dimension): Breakdown {
  const { values, inOrder } = valuesOf(
    scored.map(({ item }) => item),
    by,
  );
  const rows = inOrder.flatMap((value) =>
    bySystem(scored.filter((_, index) => values[index] === value)).map((each) => ({ ...rowOf(metric, each), value })),
  );
  return { by, rows };
}

function rowOf(metric: MetricName, scored: readonly ScoredRecord[]): Row {
  const all = scored.map(({ result }) => figuresOf(result));
  const ids = scored.map(({ item }) => item.id);
  const figures = metricOf(metric).figures.map(({ name }) => {
    const values = all.map((each) => each[name] ?? null);
    return [name, estimateMean(values, ids)] as const;
  });
  return { system: scored[0].item.system ?? null, records: scored.length, figures: Object.fromEntries(figures) };
}

function pooledOf(metric: MetricName, scored: readonly ScoredRecord[]): SystemRow['micro'] {
  const { pool, figures } = metricOf(metric);
  if (pool === undefined) return null;
  const pooled = pool(scored.map(({ item: { evaluation }, result }) => ({ request: evaluation, answer: result })));
  const ids = scored.map(({ item }) => item.id);
  return Object.fromEntries(
    figures.map(({ name }) => [name, estimate(ids, (weights) => pooled(weights)[name] ?? null)] as const),
  );
}

/** Records of each system, by name; those without one first. */
function bySystem(scored: readonly ScoredRecord[]): ScoredRecord[][] {
  const found = groupBy(scored, ({ item }) => item.system ?? '');
  return [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, records]) => records);
}

/** How much higher a system's figures are than another's on the records that both have. */
interface Difference {
  readonly system: string | null;
  readonly against: string | null;
  /** Ids that both have. */
  readonly shared: number;
  readonly figures: Readonly<Record<string, Estimate>>;
}

/** Paired differences by id of two systems' records of one metric, each in canonical order. */
function differenceOf(ours: readonly ScoredRecord[], theirs: readonly ScoredRecord[]): Difference {
  const [a, b] = [ours, theirs].map((each) => groupBy(each, ({ item }) => item.id));
  const ids = [...a.keys()].filter((id) => b.has(id));
  const { metric } = ours[0].result;
  const figures = metricOf(metric).figures.map(({ name }) => {
    const differences = ids.map((id) => {
      const [mine, other] = [meanOf(a.get(id), name), meanOf(b.get(id), name)];
      return mine === null || other === null ? null : mine - other;
    });
    return [name, estimateMean(differences, ids)] as const;
  });
  return {
    system: ours[0].item.system ?? null,
    against: theirs[0].item.system ?? null,
    shared: ids.length,
    figures: Object.fromEntries(figures),
  };
}

/** Over the orders of documents that an id was asked with. */
function meanOf(scored: readonly ScoredRecord[] = [], name: string): number | null {
  return mean(scored.map(({ result }) => figuresOf(result)[name] ?? null).filter((value) => value !== null));
}
