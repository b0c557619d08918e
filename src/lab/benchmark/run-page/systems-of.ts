import type { SetRun } from '../run.node.ts';

/** Names of all systems that ran over any of the sets, as tables list them. */
export function systemsOf(runs: readonly Pick<SetRun, 'report'>[]): string[] {
  return [...new Set(runs.flatMap(({ report }) => report.comparison.arms.map(({ name }) => name)))];
}

/** "1 case", "12 cases". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
