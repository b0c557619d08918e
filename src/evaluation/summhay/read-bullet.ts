import { citedDocuments, findMarkers } from '../../text/index.ts';
import type { CitedBullet } from '../shapes.ts';
import { stripMarkers } from './strip-markers.ts';

/** A bullet as it is judged. */
export interface ReadBullet {
  /** Without markers, list signs and surplus white space; empty where nothing else is there. */
  readonly text: string;
  /** Ids that its markers cite, each once. */
  readonly documents: readonly string[];
}

const LIST_SIGN = /^\s*(?:(?:[-*+•‣▪◦–—]|#{1,6}|\(?\d{1,3}[.)])(?:\s+|$))+/u;

/**
 * Reads a bullet of a summary: "- Fares rose [1, 2][3]." says "Fares rose." and cites 1, 2 and 3.
 *
 * @param bullet with its markers, or with what it cites beside it; then its text is taken as it stands
 * @param known ids of the documents that are known, so that markers which are no numbers are told from other brackets
 */
export function readBullet(bullet: string | CitedBullet, known: ReadonlySet<string>): ReadBullet {
  const documents =
    typeof bullet === 'string' ? citedDocuments(findMarkers(bullet, known)) : [...new Set(bullet.documents)];
  return { text: bulletText(bullet, known), documents };
}

/** The text of {@link readBullet} alone. */
export function bulletText(bullet: string | CitedBullet, known: ReadonlySet<string>): string {
  if (typeof bullet !== 'string') return bullet.text;
  return stripMarkers(bullet, known).text.replace(LIST_SIGN, '').replace(/\s+/gu, ' ').trim();
}
