import type { Experiment } from '../../client/index.ts';

const WORDS = { draft: '○ Draft', running: '● Running', stopped: '■ Stopped' } as const;

/** Whether an experiment has begun and ended. */
export function StateBadge({ status }: Pick<Experiment, 'status'>) {
  return <span class={`exp-state ${status}`}>{WORDS[status]}</span>;
}
