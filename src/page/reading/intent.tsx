import type { DigestInput, ReportInput } from '../../client/index.ts';
import { Facts } from '../parts/table.tsx';
import { day } from '../parts/words.ts';
import { hrefOf } from '../route.ts';

export type Intent = DigestInput['intent'] | null;

export const NO_QUESTION = 'What these documents say';

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

interface IntentFact {
  readonly name: string;
  readonly text: string;
  readonly digest?: string;
}

export function intentFacts(intent: Intent): IntentFact[] {
  if (typeof intent !== 'object' || intent === null) return [];
  const { userStory, background, publishedAfter, publishedBefore } = intent;
  const known =
    typeof background === 'object' ? { text: 'an earlier digest', digest: background.digest } : { text: background };
  return [
    { name: 'Who asks', text: userStory },
    { name: 'Already known', ...known },
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
