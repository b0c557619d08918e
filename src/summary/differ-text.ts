import { plainText } from './plain-text.ts';
import { endSentence } from './sentence-text.ts';
import type { RequestedDocument } from '../contract/summary.ts';
import { LONGEST_TITLE } from './title-prefix.ts';

/**
 * Tells that two documents differ, and which: "Sources differ: “20 days” (Travel Policy, 2024) against “30 days” (Handbook, 2026)."
 *
 * @param on a phrase that can follow "differ on", or two wordings with their documents (“…” (…) against “…” (…))
 */
export function differText(on: string, documents: readonly [RequestedDocument, RequestedDocument]): string {
  const isOneDocument = documents[0].id === documents[1].id;
  const parties = isOneDocument ? 'Speakers differ' : 'Sources differ';
  // Two wordings have their documents with them.
  if (on.startsWith('“')) return endSentence(`${parties}: ${on}`);
  const names = isOneDocument ? null : namesOf(documents);
  return endSentence(`${parties} on ${on}${names === null ? '' : ` (${names.join('; ')})`}`);
}

/** Title and year of both documents, with the day where the years are the same; null where they do not tell the two apart. */
function namesOf(documents: readonly [RequestedDocument, RequestedDocument]): [string, string] | null {
  const [first, second] = documents.map(({ publishedAt }) => publishedAt?.slice(0, 4));
  const [a, b] = documents.map(({ title = '', publishedAt = '' }) => {
    const name = plainText(title).length > LONGEST_TITLE ? '' : plainText(title);
    const year = publishedAt.slice(0, 4);
    const date = first === second ? dayOf(publishedAt) : name.includes(year) ? '' : year;
    return [name, date].filter(Boolean).join(', ');
  });
  return a && b && a !== b ? [a, b] : null;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function dayOf(publishedAt: string): string {
  const time = Date.parse(publishedAt.slice(0, 10));
  return Number.isNaN(time) ? '' : DAY.format(time);
}
