import { groupBy } from '../../text/index.ts';
import { type Estimate, type EstimatedBin, estimatedCurve, orderSensitivity, weightedMean } from '../bulk/estimate.ts';
import type { DocumentOrder } from '../bulk/record.ts';
import { type ComparisonReport, comparisonReport } from '../comparison/comparison-report.ts';
import type { SystemRecord } from './plan-identity.ts';
import type { OutputRun } from './run-outputs.ts';
import { isFileSystem, type RunSet, type System } from './system.ts';

/** A set that was run. */
export interface SetRun {
  readonly set: RunSet;
  readonly run: OutputRun;
  readonly report: SetReport;
  /** What made the outputs, by the name of the system; those of files are absent. */
  readonly records: Readonly<Record<string, SystemRecord>>;
}

/** What came of one set. */
export interface SetReport {
  readonly set: string;
  /** Tables, paired tests and lengths of the systems. */
  readonly comparison: ComparisonReport;
  /** Source coverage in each tenth of the order of documents, by system; empty without questions. */
  readonly curves: readonly { readonly system: string; readonly bins: readonly EstimatedBin[] }[];
  /** Systems by what summarises (rows) and what retrieves (columns); null where none were given several retrievals. */
  readonly matrix: SystemMatrix | null;
  /** Position sensitivity of systems that were given the documents in all three orders. */
  readonly sensitivities: readonly { readonly system: string; readonly sensitivity: Estimate }[];
  /** Means of the main metric over cases that share a domain or a kind of question; empty where all share one, or none is known. */
  readonly breakdowns: readonly BreakdownTable[];
  /** Verdicts of a language model that could not be read, and credit nothing, over all outputs. */
  readonly unreadable: number;
  /** What digests say went otherwise than asked: documents that did not fit a prompt, say. */
  readonly warnings: readonly SystemWarning[];
}

interface SystemMatrix {
  readonly retrievers: readonly string[];
  /** Names of systems by the retriever; null where a summariser has none with it. */
  readonly rows: readonly { readonly summariser: string; readonly systems: readonly (string | null)[] }[];
}

/** A warning with the first of the outputs of a system that say the same, but for its numbers. */
interface SystemWarning {
  readonly system: string;
  readonly outputs: number;
  readonly warning: string;
}

interface BreakdownTable {
  readonly by: 'domain' | 'questionKind';
  readonly rows: readonly { readonly value: string; readonly means: Readonly<Record<string, number | null>> }[];
}

export interface ReportedSystems {
  readonly systems: readonly System[];
  readonly baseline: string;
  readonly metrics: readonly string[] | null;
  readonly skipped: readonly string[];
}

/** The report of one set; the same whatever the order of its cases. */
export function setReport(
  set: RunSet,
  { systems, baseline, metrics, skipped }: ReportedSystems,
  run: Pick<OutputRun, 'made' | 'failed'>,
): SetReport {
  const names = new Set([...run.made, ...run.failed].map(({ item }) => item.arm));
  const present = systems.filter(({ name }) => names.has(name) || skipped.includes(name));
  const comparison = comparisonReport(
    {
      name: set.name,
      arms: present.map((system) => ({
        name: system.name,
        options: isFileSystem(system) ? {} : system.options,
      })),
      // Left out, or silent on this set: the first that is not.
      baseline: names.has(baseline) ? baseline : (present.find(({ name }) => names.has(name))?.name ?? baseline),
      metrics,
    },
    run,
    { skipped },
  );
  const sorted = run.made.toSorted(({ item: a }, { item: b }) => (a.datum < b.datum ? -1 : a.datum > b.datum ? 1 : 0));
  const ofSystem = (name: string) => sorted.filter(({ item }) => item.arm === name);
  return {
    set: set.name,
    comparison,
    curves: present.flatMap(({ name }) => {
      const answered = ofSystem(name).flatMap(positions);
      return answered.length === 0 ? [] : [{ system: name, bins: estimatedCurve(answered) }];
    }),
    matrix: matrixOf(present),
    sensitivities: sensitivities(present, ofSystem),
    breakdowns: (['domain', 'questionKind'] as const).flatMap((by) => breakdown(by, set, comparison, sorted)),
    unreadable: sorted.reduce((sum, { result }) => sum + result.unreadable, 0),
    warnings: present.flatMap(({ name }) => warningsOf(name, ofSystem(name))),
  };
}

type Made = OutputRun['made'][number];

function warningsOf(system: string, made: readonly Made[]): SystemWarning[] {
  const all = made.flatMap(({ result }) => result.warnings);
  const alike = groupBy(all, (warning) => warning.replace(/\d+/g, '0'));
  return [...alike.values()].map((some) => ({ system, outputs: some.length, warning: some[0] }));
}

function positions({ item: { datum: id }, result: { byPosition } }: Made) {
  if (byPosition === null) return [];
  return [{ id, documents: byPosition.map((coverage, position) => ({ id: String(position), position, coverage })) }];
}

/** SummHay's table 2 (Laban et al. 2024, section 5). */
function matrixOf(systems: readonly System[]): SystemMatrix | null {
  const cells = systems.flatMap((system) => {
    const cell = isFileSystem(system) || system.family !== undefined ? undefined : system.cell;
    return cell === undefined ? [] : [{ ...cell, name: system.name }];
  });
  if (cells.length === 0) return null;
  const retrievers = [...new Set(cells.map(({ retriever }) => retriever))];
  const rows = [...groupBy(cells, ({ summariser }) => summariser)].map(([summariser, own]) => ({
    summariser,
    systems: retrievers.map((retriever) => own.find((cell) => cell.retriever === retriever)?.name ?? null),
  }));
  return { retrievers, rows };
}

/** Systems that differ in nothing but the order of their documents are one. */
function sensitivities(
  systems: readonly System[],
  ofSystem: (name: string) => readonly Made[],
): SetReport['sensitivities'] {
  const families = new Map<string, { readonly name: string; readonly order: DocumentOrder }[]>();
  for (const system of systems) {
    if (system.family === undefined) continue;
    const { family, order } = system.family;
    families.set(family, [...(families.get(family) ?? []), { name: system.name, order }]);
  }
  return [...families].flatMap(([system, members]) => {
    const scores = members.flatMap(({ name, order }) => ofSystem(name).flatMap((made) => orderedScore(made, order)));
    const sensitivity = orderSensitivity(scores.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)));
    return sensitivity === null ? [] : [{ system, sensitivity }];
  });
}

/** By labels where there are any. */
function orderedScore({ item: { datum: id }, result: { figures, over } }: Made, order: DocumentOrder) {
  const kind = typeof figures['labelled.coverage'] === 'number' ? 'labelled' : 'summhay';
  const coverage = figures[`${kind}.coverage`] ?? null;
  if (coverage === null) return [];
  const insights = { coverage: over[`${kind}.coverage`] ?? 1, joint: over[`${kind}.joint`] ?? 1 };
  return [{ id, order, coverage, joint: figures[`${kind}.joint`] ?? null, over: insights }];
}

function breakdown(
  by: BreakdownTable['by'],
  { cases }: RunSet,
  { main, arms }: ComparisonReport,
  made: readonly Made[],
): BreakdownTable[] {
  const valueOfCase = new Map(cases.map((each) => [each.id, each[by]]));
  const values = [...new Set(made.map(({ item }) => valueOfCase.get(item.datum) ?? ''))].sort();
  if (main === null || values.length < 2) return [];
  const meanOf = (value: string, system: string): number | null => {
    const there = made.flatMap(({ item: { arm, datum }, result }) => {
      const figure = result.figures[main] ?? null;
      const isThere = arm === system && (valueOfCase.get(datum) ?? '') === value && figure !== null;
      return isThere ? [{ figure, of: result.over[main] ?? 1 }] : [];
    });
    return weightedMean(
      there.map(({ figure }) => figure),
      there.map(({ of }) => of),
    );
  };
  const rows = values.map((value) => ({
    value: value === '' ? '(not given)' : value,
    means: Object.fromEntries(arms.map(({ name }) => [name, meanOf(value, name)])),
  }));
  return [{ by, rows }];
}
