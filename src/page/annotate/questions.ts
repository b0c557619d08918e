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

const YES_NO: readonly Choice[] = [
  { value: 'yes', name: 'Yes', keys: ['y'] },
  { value: 'no', name: 'No', keys: ['n'] },
];

const OUTCOME_VALUES = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;
/** Mayfield et al. 2024, section 4. */
const OUTCOMES = [
  'a cited document does not support it',
  'supported, reports no nugget',
  'supported, reports a nugget',
  'needs no citation',
  'needs a citation and has none',
  'states again what is cited elsewhere',
  'states an absence that no nugget states',
  'states an absence that a nugget states',
];

const RATINGS = ['1', '2', '3', '4', '5'] as const;
const RATING_NAMES = {
  1: '1: very unlikely',
  2: '2: unlikely',
  3: '3: in between',
  4: '4: likely',
  5: '5: very likely',
} as const;

/** What is asked of an item, and the keys that answer. */
export const QUESTIONS: Readonly<Record<Field, Question>> = {
  stated: {
    text: 'Do the highlighted words state the key point?',
    choices: YES_NO,
  },
  helps: {
    text: 'The key point helps to answer the query.',
    choices: [
      { value: 'agree', name: 'Agree', keys: ['a', '1'] },
      { value: 'neutral', name: 'Neutral', keys: ['u', '2'] },
      { value: 'disagree', name: 'Disagree', keys: ['d', '3'] },
    ],
  },
  attested: { text: 'Does the document attest this answer to the question?', choices: YES_NO },
  importance: {
    text: 'How much does a good report need it?',
    choices: [
      { value: 'vital', name: 'Vital', keys: ['v', '1'] },
      { value: 'okay', name: 'Okay', keys: ['o', '2'] },
      { value: 'unwanted', name: 'Unwanted', keys: ['x', '3'] },
    ],
  },
  answerable: { text: 'Does the text answer the question?', choices: YES_NO },
  correct: {
    text: 'Does it answer as the reference answer does?',
    choices: [
      { value: 'yes', name: 'As the reference', keys: ['c'] },
      { value: 'no', name: 'Otherwise, or not', keys: ['w'] },
    ],
  },
  entailed: { text: 'Does the text entail the claim?', choices: YES_NO },
  reported: { text: 'Does the sentence report an answer of the nugget?', choices: YES_NO },
  outcome: {
    text: 'What becomes of the sentence?',
    choices: OUTCOMES.map((name, place) => {
      const value = OUTCOME_VALUES[place];
      return { value, name: `${value}: ${name}`, keys: [value] };
    }),
  },
  rating: {
    text: 'How likely is it that a reader of these documents asks this?',
    choices: RATINGS.map((value) => ({ value, name: RATING_NAMES[value], keys: [value] })),
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
