import type { DigestInput } from '../../client/index.ts';
import { day } from '../parts/dates.ts';

export type IntentInput = DigestInput['intent'];

/** The words of an intent that a field shows. */
export function textOf(intent: IntentInput): string {
  return typeof intent === 'object' ? intent.problem : (intent ?? '');
}

/** The same intent with other words; without any there is none. */
export function withText(intent: IntentInput, text: string): IntentInput {
  if (typeof intent === 'object') return { ...intent, problem: text };
  return text === '' ? undefined : text;
}

/** An intent as it is sent: without what is empty. */
export function sentIntent(intent: IntentInput): IntentInput {
  return textOf(intent).trim() === '' ? undefined : intent;
}

/** What an intent says beside its words, with a name for each. */
export function restOf(intent: IntentInput): { readonly name: string; readonly text: string }[] {
  if (typeof intent !== 'object') return [];
  const { userStory, background, publishedAfter, publishedBefore } = intent;
  const known = typeof background === 'object' ? `what digest ${background.digest} says` : background;
  return [
    { name: 'Why it is asked', text: userStory },
    { name: 'Known already', text: known },
    { name: 'Published after', text: publishedAfter && day(publishedAfter) },
    { name: 'Published before', text: publishedBefore && day(publishedBefore) },
  ].flatMap(({ name, text }) => (text ? [{ name, text }] : []));
}
