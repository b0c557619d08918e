import type { EdgeEnv } from './edge-env.worker.ts';

/** A job, and what the workflow that is to do it is called. */
interface NamedJob {
  readonly name: string;
  /** Of the digest. */
  readonly id: string;
}

/** Workflows that are made at once. */
const AT_ONCE = 100;

/**
 * Begins a workflow for each job. The platform leaves those alone whose name is taken, by one that runs or one that has ended.
 *
 * @returns how many were begun
 */
export async function beginWorkflows({ DIGESTS }: EdgeEnv, jobs: readonly NamedJob[]): Promise<number> {
  const each = [...new Map(jobs.map(({ name, id }) => [name, { id: name, params: { id } }])).values()];
  let begun = 0;
  for (let from = 0; from < each.length; from += AT_ONCE) {
    begun += (await DIGESTS.createBatch(each.slice(from, from + AT_ONCE))).length;
  }
  return begun;
}
