import { sentences } from '../../text/documents/sentences.ts';
import { contentStems } from '../../selection/kernel/content-words.ts';
import { countWords } from '../../summary/count-words.ts';
import { folded } from '../questions/folded.ts';

/** Why an intent cannot be used, by the name that it is counted by. */
export type IntentFault = 'unfit' | 'duplicates' | 'nearDuplicates';

/** A sentence of more words asks for several things, or does not stop. */
const MOST_WORDS = 60;
/** Share of content words in common (Jaccard) from which two intents ask for the same in other words. */
const NEAR = 0.7;

/**
 * Looks at the intents of one collection in the order in which they came: each a sentence of words, none as one before it but for
 * case and punctuation, none with nearly the same words.
 *
 * @returns looks at the next one, knowing those that could be used
 */
export function intentChecker(): (intent: string) => IntentFault | null {
  const known = new Map<string, ReadonlySet<string>>();
  return (intent) => {
    const key = folded(intent);
    if (key === '' || sentences(intent).length > 1 || countWords(intent) > MOST_WORDS) return 'unfit';
    if (known.has(key)) return 'duplicates';
    const words = contentStems(intent);
    if ([...known.values()].some((others) => inCommon(words, others) >= NEAR)) return 'nearDuplicates';
    known.set(key, words);
    return null;
  };
}

/** Jaccard's; 0 where there are no words. */
function inCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const both = [...some].filter((word) => others.has(word)).length;
  return both === 0 ? 0 : both / (some.size + others.size - both);
}
