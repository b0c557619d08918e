import { CLOSING, OPENING } from '../../text/index.ts';
import { knownDocuments } from './check-bullets.ts';
import { readBullet } from './read-bullet.ts';
import type { SummHayRequest } from './shapes.ts';

const BESIDE = `[^${OPENING}${CLOSING}]{0,40}`;
/** A bracket that is left as text though it looks like a marker: it holds a digit, or is a footnote. */
const LIKE_A_MARKER = new RegExp(`[${OPENING}]${BESIDE}\\d${BESIDE}[${CLOSING}]`, 'u');

/** Says which bullets have markers that could not be read, or that cite what no insight and no list of documents names. */
export function markerWarnings(request: SummHayRequest): string[] {
  const known = knownDocuments(request);
  const read = request.bullets.map((bullet) => readBullet(bullet, known));
  const odd = read.filter(({ text }, place) => typeof request.bullets[place] === 'string' && LIKE_A_MARKER.test(text));
  const strange = read.filter(({ documents }) => documents.some((id) => !known.has(id)));
  const warnings: string[] = [];
  if (odd.length > 0) {
    warnings.push(
      `${bullets(odd.length)} a bracket that looks like a marker and could not be read as one; it counts as text.`,
    );
  }
  if (known.size > 0 && strange.length > 0) {
    warnings.push(`${bullets(strange.length)} a marker of a document that neither the insights nor "documents" name.`);
  }
  return warnings;
}

function bullets(count: number): string {
  return count === 1 ? 'One bullet has' : `${count} bullets have`;
}
