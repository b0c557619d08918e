import type { SelectionsAnswer } from '../../client/index.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { comparedPoints, type Standing } from './map-point.ts';

/** A selection as the map shows it. */
export interface Picture {
  /** One for each point of the map. */
  readonly standings: readonly Standing[];
  /** Places of the selected points, by rank. */
  readonly picks: readonly number[];
  readonly gate: { readonly kept: number; readonly dropped: number };
  readonly warnings: readonly string[];
}

/** The digest's own selection, as its receipt has it. */
export function ownPicture(digest: StoredDigest['digest']): Picture {
  const standings = comparedPoints(digest);
  return { standings, picks: picksOf(standings), gate: digest.selection.gate, warnings: [] };
}

/** A selection that was made again among the same points. */
export function pictureOf({ items, gate, warnings }: Pick<SelectionsAnswer, 'items' | 'gate' | 'warnings'>): Picture {
  const standings = items.map(({ nearest, ...item }): Standing => {
    // Points of a digest have ids.
    const near = nearest === null ? null : { id: nearest.id ?? '', similarity: nearest.similarity };
    return { ...item, nearest: near, supports: item.reason === 'supports' ? (near?.id ?? null) : null };
  });
  return { standings, picks: picksOf(standings), gate, warnings };
}

/**
 * Ids of the points that the digest's options pick: those it selected, and those it let go again because its summary could not
 * hold them. Where words end the selection itself, what was not picked has the same reason, and only the selected are told.
 */
export function ownPicks(digest: StoredDigest['digest']): Set<string> {
  const isLetGo = digest.selection.stoppedBy !== 'words';
  return new Set(
    comparedPoints(digest).flatMap(({ id, selected, reason }) =>
      selected || (isLetGo && reason === 'words') ? [id] : [],
    ),
  );
}

function picksOf(standings: readonly Standing[]): number[] {
  return standings
    .flatMap(({ selected, rank }, place) => (selected ? [{ place, rank: rank ?? Number.POSITIVE_INFINITY }] : []))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ place }) => place);
}
