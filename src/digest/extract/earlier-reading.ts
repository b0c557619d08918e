import type { EarlierReading } from '../resolved-request.ts';
import type { ReadDocument } from './read-documents.ts';

/** How much was left out because an earlier digest read or told it. */
export function knownOf(
  documents: readonly ReadDocument[],
  familiar: ReadonlySet<number>,
): { readonly documents: number; readonly points: number } {
  return { documents: countKnown(documents), points: familiar.size };
}

function countKnown(documents: readonly ReadDocument[]): number {
  return documents.filter(({ excluded }) => excluded === 'known').length;
}

/** Says what was left out because the reader has it from an earlier digest. */
export function earlierWarnings(documents: readonly ReadDocument[], earlier: EarlierReading | undefined): string[] {
  if (earlier === undefined) return [];
  const known = countKnown(documents);
  if (known === 0) return [];
  if (known === documents.length) {
    return [`Nothing is new: every document was read for ${earlier.digest} or before.`];
  }
  const were = known === 1 ? 'One document was' : `${known} documents were`;
  return [`${were} read for ${earlier.digest} or before, and not again.`];
}
