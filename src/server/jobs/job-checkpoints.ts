import { parse, stringify } from 'devalue';
import { contentHash } from '../../text/documents/content-hash.ts';
import type { Connection } from '../../store/database.ts';
import { readCheckpoints, saveCheckpoint } from '../../store/job-checkpoints.ts';
import type { Lease } from '../../store/jobs.ts';
import type { Checkpoints, Ledger } from '../../digest/checkpoints.ts';

/** Milliseconds of work that are worth a write; less is done again sooner than it is kept. Asking a model always is. */
const WORTH_KEEPING = 250;

interface Kept {
  readonly result: unknown;
  readonly ledger: unknown;
}

/**
 * Checkpoints of a job, in the database. What attempts before left is read once; a step whose inputs have changed since (a
 * document could be read this time, the service has another version) is done again.
 *
 * @param version of the service: results of another are not gone on from
 * @param signal of the attempt: what a step came to after it was given is not kept, for its models were cut off
 */
export async function jobCheckpoints(
  connection: Connection,
  lease: Lease,
  version: string,
  signal: AbortSignal,
): Promise<(ledger: Ledger) => Checkpoints> {
  const kept = lease.attempt === 1 ? new Map() : await readCheckpoints(connection, lease.id);
  return (ledger) => ({
    async step<T>(name: string, dependsOn: unknown, work: () => T | Promise<T>, asked = ledger.asked()): Promise<T> {
      const key = contentHash(JSON.stringify([version, dependsOn]));
      const found = kept.get(name);
      if (found?.key === key) {
        // The same key names the same step, so that its result has this type.
        const { result, ledger: taken } = parse(found.value) as Kept & { readonly result: T };
        ledger.restore(taken);
        return result;
      }
      const start = performance.now();
      const result = await work();
      signal.throwIfAborted();
      if (performance.now() - start >= WORTH_KEEPING || ledger.asked() > asked) {
        const value: Kept = { result, ledger: ledger.take() };
        await saveCheckpoint(connection, lease, { stage: name, key, value: stringify(value) });
      }
      return result;
    },
  });
}
