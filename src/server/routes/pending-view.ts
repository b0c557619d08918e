import type { PendingDigest } from '../../contract/index.ts';
import type { StoredDigest } from '../../store/index.ts';

/** A digest without an answer, as callers see it. */
export function pendingView({ id, status, state, progress, problem, createdAt }: StoredDigest): PendingDigest {
  return {
    id,
    // Only this service writes states, progress and problems.
    status: (state === 'done' || state === null ? status : state) as PendingDigest['status'],
    progress: progress === null ? null : JSON.parse(progress),
    createdAt: new Date(createdAt).toISOString(),
    ...(problem !== null && { error: JSON.parse(problem) }),
  };
}
