import { figuresOf, METRICS, type MetricName, mean, metricOf } from '../../evaluation/index.ts';
import { type Dimension, valuesOf } from './dimensions.ts';
import { type Estimate, estimateMean } from './estimate.ts';
import { type EstimatedBin, estimatedCurve } from './estimated-curve.ts';
import { orderSensitivity } from './order-sensitivity.ts';
import { inCanonicalOrder, type ScoredRecord } from './record.ts';

/** Figures of some records of one system. */
export interface Row {
  readonly system: string | null;
  readonly records: number;
  readonly figures: Readonly<Record<string, Estimate>>;
}

interface SystemRow extends Row {
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
    const ofMetric = sorted.filter(({ answer }) => answer.metric === metric);
    if (ofMetric.length === 0) return [];
    const systems = bySystem(ofMetric);
    const first = systems.find(([{ record }]) => record.system === baseline) ?? systems[0];
    return [
      {
        metric,
        systems: systems.map((each) => ({
          ...rowOf(metric, each),
          positionSensitivity: orderSensitivity(each.flatMap(orderedScores)),
          positionCurve: metric === 'source-coverage' ? estimatedCurve(each.flatMap(documentsOf)) : null,
        })),
        differences: systems.filter((each) => each !== first).map((each) => differenceOf(each, first)),
        breakdowns: by.map((dimension) => breakdownOf(metric, ofMetric, dimension)),
      },
    ];
  });
}

function orderedScores({ record: { id, order }, answer }: ScoredRecord) {
  if (order === undefined || answer.metric !== 'summhay') return [];
  const { coverage, joint } = answer;
  return [{ id, order, coverage, joint }];
}

function documentsOf({ record: { id }, answer }: ScoredRecord) {
  return answer.metric === 'source-coverage' ? [{ id, documents: answer.documents }] : [];
}

function breakdownOf(metric: MetricName, scored: readonly ScoredRecord[], by: Dimension): Breakdown {
  const { values, inOrder } = valuesOf(
    scored.map(({ record }) => record),
    by,
  );
  const rows = inOrder.flatMap((value) =>
    bySystem(scored.filter((_, index) => values[index] === value)).map((each) => ({ ...rowOf(metric, each), value })),
  );
  return { by, rows };
}

function rowOf(metric: MetricName, scored: readonly ScoredRecord[]): Row {
  const all = scored.map(({ answer }) => figuresOf(answer));
  const ids = scored.map(({ record }) => record.id);
  const figures = metricOf(metric).figures.map(({ name }) => {
    const values = all.map((each) => each[name] ?? null);
    return [name, estimateMean(values, ids)] as const;
  });
  return { system: scored[0].record.system ?? null, records: scored.length, figures: Object.fromEntries(figures) };
}

/** Records of each system, by name; those without one first. */
function bySystem(scored: readonly ScoredRecord[]): ScoredRecord[][] {
  const found = new Map<string, ScoredRecord[]>();
  for (const each of scored) {
    const name = each.record.system ?? '';
    found.set(name, [...(found.get(name) ?? []), each]);
  }
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
  const [a, b] = [byId(ours), byId(theirs)];
  const ids = [...a.keys()].filter((id) => b.has(id));
  const { metric } = ours[0].answer;
  const figures = metricOf(metric).figures.map(({ name }) => {
    const differences = ids.map((id) => {
      const [mine, other] = [meanOf(a.get(id), name), meanOf(b.get(id), name)];
      return mine === null || other === null ? null : mine - other;
    });
    return [name, estimateMean(differences, ids)] as const;
  });
  return {
    system: ours[0].record.system ?? null,
    against: theirs[0].record.system ?? null,
    shared: ids.length,
    figures: Object.fromEntries(figures),
  };
}

function byId(scored: readonly ScoredRecord[]): Map<string, ScoredRecord[]> {
  const found = new Map<string, ScoredRecord[]>();
  for (const each of scored) found.set(each.record.id, [...(found.get(each.record.id) ?? []), each]);
  return found;
}

/** Over the orders of documents that an id was asked with. */
function meanOf(scored: readonly ScoredRecord[] = [], name: string): number | null {
  return mean(scored.map(({ answer }) => figuresOf(answer)[name] ?? null).filter((value) => value !== null));
}
