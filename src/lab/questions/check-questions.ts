import { countWords } from '../../summary/count-words.ts';
import { folded } from './folded.ts';
import type { GivenQuestion } from './question-form.ts';

/** Padmakumar et al. 2025, appendix B.2. */
export const MOST_ANSWER_WORDS = 14;

/** Why a question cannot be used, by the name that it is counted by, with what the model is told. */
export const FAULTS = {
  empty: 'the question or its answer is missing',
  longAnswers: `the answer has more than ${MOST_ANSWER_WORDS} words`,
  duplicates: 'the question is there already',
  ungrounded: 'most words of the answer do not stand in the document',
} as const;
export type Fault = keyof typeof FAULTS;

export type CheckedQuestion = GivenQuestion & { readonly fault: Fault | null };

/**
 * Looks at the questions of one document, in the order in which they came. A question that only differs in case or punctuation from
 * one that can be used is a duplicate.
 *
 * @param isGrounded whether the document holds the words of an answer
 * @returns looks at the next ones, knowing those before
 */
export function questionChecker(
  isGrounded: (answer: string) => boolean,
): (given: readonly GivenQuestion[]) => CheckedQuestion[] {
  const known = new Set<string>();
  const faultOf = ({ question, answer }: GivenQuestion): Fault | null => {
    const key = folded(question);
    if (key === '' || !/[\p{L}\p{N}]/u.test(answer)) return 'empty';
    if (countWords(answer) > MOST_ANSWER_WORDS) return 'longAnswers';
    if (known.has(key)) return 'duplicates';
    if (!isGrounded(answer)) return 'ungrounded';
    known.add(key);
    return null;
  };
  return (given) => given.map((each) => ({ ...each, fault: faultOf(each) }));
}
