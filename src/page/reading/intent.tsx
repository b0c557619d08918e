import type { DigestInput, ReportInput } from '../../client/index.ts';
import { NO_READER, type Reader } from '../making/draft.ts';
import { Facts } from '../parts/table.tsx';
import { day } from '../parts/words.ts';
import { hrefOf } from '../route.ts';

export type Intent = DigestInput['intent'] | null;

export const NO_QUESTION = 'What these documents say';

/** The fields of an intent that is more than a question. */
function reportOf(intent: Intent): Partial<ReportInput> {
  return typeof intent === 'object' ? (intent ?? {}) : {};
}

export function problemOf(intent: Intent): string {
  return typeof intent === 'object' ? (intent?.problem ?? '') : (intent ?? '');
}

export function headingOf(intent: Intent): string {
  return problemOf(intent) || NO_QUESTION;
}

export function withProblem(intent: Intent, problem: string): Intent {
  if (typeof intent === 'object' && intent !== null) return { ...intent, problem };
  return problem === '' ? null : problem;
}

/** Keeps the reader and the dates. News relative to a background is reported only once. */
export function followUpIntent(before: Intent, problem: string): string | ReportInput {
  if (typeof before !== 'object' || before === null) return problem;
  const { background: _, ...kept } = before;
  return Object.keys(kept).length > 1 ? { ...kept, problem } : problem;
}

/** Asks the same again: what is new since a digest. */
export function sinceIntent(before: Intent, digest: string): ReportInput {
  return { ...reportOf(before), problem: problemOf(before), background: { digest } };
}

export function isSince(intent: Intent): boolean {
  return typeof reportOf(intent).background === 'object';
}

/** The reader and the dates of an intent, without the background. */
export function readerOf(intent: Intent): Reader {
  const { userStory = '', publishedAfter: after = '', publishedBefore: before = '' } = reportOf(intent);
  return { ...NO_READER, userStory, after, before };
}

interface IntentFact {
  readonly name: string;
  readonly text: string;
  readonly digest?: string;
}

export function intentFacts(intent: Intent): IntentFact[] {
  const { userStory, background, publishedAfter, publishedBefore } = reportOf(intent);
  const known =
    typeof background === 'object'
      ? { name: 'New since', text: 'an earlier digest', digest: background.digest }
      : { name: 'Already known', text: background };
  return [
    { name: 'Who asks', text: userStory },
    known,
    { name: 'Published from', text: publishedAfter && day(publishedAfter) },
    { name: 'Published until', text: publishedBefore && day(publishedBefore) },
  ].flatMap(({ text, ...fact }) => (text ? [{ ...fact, text }] : []));
}

export function IntentFacts({ intent }: { readonly intent: Intent }) {
  const facts = intentFacts(intent);
  if (facts.length === 0) return null;
  return (
    <Facts
      of={facts.map(({ name, text, digest }) => [
        name,
        digest === undefined ? text : <a href={hrefOf({ view: 'digest', id: digest, face: 'read' })}>{text}</a>,
      ])}
    />
  );
}
