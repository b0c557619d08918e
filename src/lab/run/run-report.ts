import { groupBy, sortedBy } from '../../text/index.ts';
import { metricsFor } from '../results/metrics.ts';
import { type Result, resultOf } from '../results/result.ts';
import type { PlannedOutput, SystemRecord } from './plan-run.ts';
import type { OutputRun } from './run-outputs.ts';
import { isFileSystem, type RunFiles, type RunSet, type System } from './system.ts';

export interface SetRun {
  readonly set: RunSet;
  readonly outputs: readonly PlannedOutput[];
  readonly run: OutputRun;
  readonly report: SetReport;
  readonly records: Readonly<Record<string, SystemRecord>>;
}

export interface SetReport extends Result {
  /** Systems by summariser (rows) and retriever (columns); null if none was given several retrievals. */
  readonly matrix: {
    readonly retrievers: readonly string[];
    readonly rows: readonly { readonly summariser: string; readonly systems: readonly (string | null)[] }[];
  } | null;
  /** Unreadable verdicts of a language model over all outputs; they credit nothing. */
  readonly unreadable: number;
  /** Warnings that differ only in numbers are merged. */
  readonly warnings: readonly { readonly system: string; readonly outputs: number; readonly warning: string }[];
}

export function byCase<Outcome extends { readonly item: { readonly datum: string } }>(outcomes: readonly Outcome[]) {
  return sortedBy(outcomes, ({ item }) => item.datum);
}

export function setReport(
  set: RunSet,
  { systems, baseline, metrics: wanted, skipped }: Omit<RunFiles, 'path' | 'name' | 'sets'> & Pick<Result, 'skipped'>,
  run: Pick<OutputRun, 'made' | 'failed'>,
): SetReport {
  const names = new Set([...run.made, ...run.failed].map(({ item }) => item.arm));
  const present = systems.filter(({ name }) => names.has(name) || skipped.includes(name));
  const made = byCase(run.made);
  const all = made.map(({ result }) => result.figures);
  const metrics = metricsFor(all, wanted);
  const result = resultOf(
    {
      name: set.name,
      systems: present.map((system) => ({
        name: system.name,
        options: isFileSystem(system) ? {} : system.options,
      })),
      // Fall back to the first system with outputs.
      baseline: names.has(baseline) ? baseline : (present.find(({ name }) => names.has(name))?.name ?? baseline),
      metrics,
      skipped,
      orders: made.map(({ item }) => present.find(({ name }) => name === item.arm)?.family),
      breakdowns: breakdownsOf(set, metrics, made),
    },
    { made, failed: run.failed },
  );
  return {
    ...result,
    matrix: matrixOf(present),
    unreadable: made.reduce((sum, { result: { unreadable } }) => sum + unreadable, 0),
    warnings: present.flatMap(({ name }) => warningsOf(name, made)),
  };
}

type Made = OutputRun['made'];

function warningsOf(system: string, made: Made): SetReport['warnings'] {
  const all = made.flatMap(({ item, result }) => (item.arm === system ? result.warnings : []));
  const alike = groupBy(all, (warning) => warning.replace(/\d+/g, '0'));
  return [...alike.values()].map((some) => ({ system, outputs: some.length, warning: some[0] }));
}

function matrixOf(systems: readonly System[]): SetReport['matrix'] {
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

function breakdownsOf({ cases }: RunSet, metrics: Result['metrics'], made: Made) {
  const main = metrics.find(({ key }) => !key.startsWith('digest.')) ?? metrics[0];
  if (main === undefined) return [];
  return (['domain', 'questionKind'] as const).flatMap((by) => {
    const valueByCase = new Map(cases.map((each) => [each.id, each[by] ?? null]));
    const values = made.map(({ item }) => valueByCase.get(item.datum) ?? null);
    return new Set(values).size < 2 ? [] : [{ by, values, metrics: [main] }];
  });
}
