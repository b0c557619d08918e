import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Digest, digestSchema, pendingDigestSchema } from '../../../src/contract/index.ts';
import { expectSound } from '../../support/promises.ts';
import type { Place, Posted } from './posted-digests.ts';

/** Reads digests again and again, and holds each answer to being either no digest yet or a whole one that stays. */
interface DigestWatch {
  /** Bodies of those that were read as finished, by id. */
  readonly finished: ReadonlyMap<string, string>;
  /** Answers that said how far a digest is. */
  pending: number;
  /** Reads all that are accepted; false where the service went away meanwhile. */
  look(): Promise<boolean>;
  /** Looks until the signal. */
  keepLooking(signal: AbortSignal): Promise<void>;
}

export function digestWatch(all: readonly Posted[], place: Place): DigestWatch {
  const finished = new Map<string, string>();

  async function lookAt({ id, request }: Posted): Promise<boolean> {
    if (id === null) return true;
    let status: number;
    let body: string;
    try {
      const response = await fetch(`${place.url}/v1/digests/${id}`);
      status = response.status;
      body = await response.text();
    } catch {
      return false;
    }
    expect(status, body).toBe(200);
    const before = finished.get(id);
    if (before !== undefined) {
      expect(body).toBe(before);
      return true;
    }
    const json = JSON.parse(body);
    if (json.status === 'queued' || json.status === 'running') {
      expect(pendingDigestSchema.strict().parse(json)).toMatchObject({ id });
      watch.pending++;
      return true;
    }
    const digest = digestSchema.parse(json) as Digest;
    expect(digest).toEqual(json);
    expect(digest).toMatchObject({ id, status: 'completed' });
    expectSound(digest, request.documents);
    finished.set(id, body);
    return true;
  }

  const watch: DigestWatch = {
    finished,
    pending: 0,
    async look() {
      for (const posted of all) if (!(await lookAt(posted))) return false;
      return true;
    },
    async keepLooking(signal) {
      while (!signal.aborted) {
        await watch.look();
        await pause(40);
      }
    },
  };
  return watch;
}
