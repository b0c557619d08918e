import { type Digest, type DigestPartsQuery, type PendingDigest, partsOf } from '../../contract/index.ts';
import type { StoredDigest } from '../../store/index.ts';

/** The requested parts of a stored answer; all by default. */
export function digestView(answer: string, { include, exclude }: DigestPartsQuery): string {
  if (include === undefined && exclude === undefined) return answer;
  return JSON.stringify(partsOf(JSON.parse(answer) as Digest, { include, exclude })); // only this service writes answers
}

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
