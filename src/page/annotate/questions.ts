import type { Answer, Field } from '../../contract/index.ts';

interface Choice {
  readonly value: Answer;
  readonly name: string;
  /** The first is shown. */
  readonly keys: readonly string[];
}

interface Question {
  readonly text: string;
  readonly choices: readonly Choice[];
}

/** What is asked of a key point, and the keys that answer. */
export const QUESTIONS: Readonly<Record<Field, Question>> = {
  stated: {
    text: 'Do the highlighted words state the key point?',
    choices: [
      { value: 'yes', name: 'Yes', keys: ['y'] },
      { value: 'no', name: 'No', keys: ['n'] },
    ],
  },
  helps: {
    text: 'The key point helps to answer the query.',
    choices: [
      { value: 'agree', name: 'Agree', keys: ['a', '1'] },
      { value: 'neutral', name: 'Neutral', keys: ['u', '2'] },
      { value: 'disagree', name: 'Disagree', keys: ['d', '3'] },
    ],
  },
};

/** What a key stands for, among what is asked; null for none. */
type KeyMeaning =
  | { readonly does: 'answer'; readonly field: Field; readonly value: Answer }
  | { readonly does: 'go'; readonly steps: number }
  | { readonly does: 'undo' };

const STEPS: Readonly<Record<string, number>> = { arrowright: 1, j: 1, arrowleft: -1, k: -1 };

export function meaningOf(key: string, asked: readonly Field[]): KeyMeaning | null {
  const pressed = key.toLowerCase();
  if (pressed === 'z') return { does: 'undo' };
  if (Object.hasOwn(STEPS, pressed)) return { does: 'go', steps: STEPS[pressed] };
  for (const field of asked) {
    const choice = QUESTIONS[field].choices.find(({ keys }) => keys.includes(pressed));
    if (choice !== undefined) return { does: 'answer', field, value: choice.value };
  }
  return null;
}
