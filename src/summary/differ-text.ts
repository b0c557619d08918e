import { plainText } from './plain-text.ts';
import { endSentence } from './sentence-text.ts';
import type { RequestedDocument } from './summary.ts';

/** A longer title hides the sentence around it. */
const LONGEST_TITLE = 60;
const WORDINGS = /^(?:(?<on>.*): )?“(?<left>[^“”]*)” against “(?<right>[^“”]*)”$/u;

/**
 * Tells that two documents differ, and which says what when: "Sources differ on the number of days: 20 days (Travel Policy, 2024)
 * and 30 days (Handbook, 2026)."
 *
 * @param on a phrase that can follow "differ on", or two wordings (“…” against “…”), that of the first document first
 */
export function differText(on: string, documents: readonly [RequestedDocument, RequestedDocument]): string {
  const isOneDocument = documents[0].id === documents[1].id;
  const parties = isOneDocument ? 'Speakers differ' : 'Sources differ';
  const names = isOneDocument ? null : namesOf(documents);
  if (names === null) return endSentence(on.startsWith('“') ? `${parties}: ${on}` : `${parties} on ${on}`);
  const wordings = WORDINGS.exec(on)?.groups;
  if (wordings === undefined) return endSentence(`${parties} on ${on} (${names.join('; ')})`);
  const { on: subject, left = '', right = '' } = wordings;
  const [a, b] = [left, right].map((wording, side) => `${figureOf(wording, subject)} (${names[side]})`);
  return endSentence(`${parties}${subject ? ` on ${subject}` : ''}: ${a} and ${b}`);
}

/** A figure stands as it is, with the one word that it counts; other wordings are quoted. */
function figureOf(wording: string, subject: string | undefined): string {
  if (!/^\P{L}{0,3}\d/u.test(wording)) return `“${wording}”`;
  const counted = subject?.match(/^the number of (\S+)$/u)?.[1];
  return counted === undefined || wording.includes(counted) ? wording : `${wording} ${counted}`;
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
