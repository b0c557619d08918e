import type { StoredDigest } from './stored-digest.ts';

/** A digest beside its sources. */
export function ReadView({ digest }: StoredDigest) {
  return <h1>{digest.id}</h1>;
}
