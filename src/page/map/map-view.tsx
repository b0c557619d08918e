import type { StoredDigest } from '../reading/stored-digest.ts';

/** The key points of a digest in two dimensions. */
export function MapView({ digest }: StoredDigest) {
  return <h1>{digest.id}</h1>;
}
