import { describeFailure, LATENCY, type OutputRun, type Result } from '../lab/index.ts';

/** The output of `tessera compare --json`: the report, and the figures of each digest by datum and arm. */
export function resultJson<Reported extends Result>(report: Reported, run: OutputRun) {
  const { made, failed } = run;
  const isTimed = report.metrics.some(({ key }) => key === LATENCY);
  const order = new Map(report.arms.map(({ name }, place) => [name, place]));
  const inOrder = <Outcome extends OutputRun['made' | 'failed'][number]>(outcomes: readonly Outcome[]): Outcome[] =>
    outcomes.toSorted(({ item: a }, { item: b }) =>
      a.datum === b.datum ? (order.get(a.arm) ?? 0) - (order.get(b.arm) ?? 0) : a.datum < b.datum ? -1 : 1,
    );
  return {
    ...report,
    digests: inOrder(made).map(({ item: { datum, arm }, result: { figures, isPartial } }) => ({
      datum,
      arm,
      isPartial,
      figures: isTimed ? figures : { ...figures, [LATENCY]: undefined },
    })),
    failed: inOrder(failed).map(({ item: { datum, arm }, failure }) => ({
      datum,
      arm,
      problem: describeFailure(failure),
    })),
    /** Of this run; cached outputs cost nothing. */
    run: {
      made: made.filter(({ known }) => !known).length,
      known: made.filter(({ known }) => known).length,
      failed: failed.length,
      usage: run.spent,
    },
  };
}
