import type { Answer, Decided, Field, Item } from '../../contract/index.ts';

export type AnnotationSession = ReturnType<typeof annotationSession>;

/**
 * The decisions of one annotator. Each act waits until the one before is saved; a decision counts once it is saved.
 *
 * @param save rejects if a decision cannot be saved
 * @param onChange called after each act
 */
export function annotationSession(
  items: readonly Item[],
  decided: readonly Decided[],
  save: (decided: Decided) => Promise<unknown>,
  onChange: () => void,
) {
  const keyOf = (item: string, field: Field) => `${field} ${item}`;
  const answers = new Map(decided.map(({ item, field, value }) => [keyOf(item, field), value]));
  const answerTo = ({ id }: Item, field: Field): Answer | null => answers.get(keyOf(id, field)) ?? null;
  const isDone = (item: Item): boolean => item.fields.every((field) => answerTo(item, field) !== null);
  /** The first open item from an index on, then from the start; the end if none is open. */
  const nextOpen = (from: number): number => {
    const open = [...items.keys()].filter((index) => !isDone(items[index]));
    return open.find((index) => index >= from) ?? open[0] ?? items.length;
  };
  let place = nextOpen(0);
  let failure: string | null = null;
  let waiting: Promise<void> = Promise.resolve();
  const enqueue = (act: () => Promise<void> | void): Promise<void> => {
    waiting = waiting.then(act).then(onChange);
    return waiting;
  };
  return {
    /** Index of the item that is shown; the number of items at the end. */
    place: () => place,
    /** Number of items with answers to all questions. */
    done: () => items.filter(isDone).length,
    /** Why the last decision was not kept; null if it was. */
    failure: () => failure,
    answerTo,
    /** Answers a question about the shown item and moves on when all are answered. Ignored if the item has changed by then. */
    decide(field: Field, value: Answer): Promise<void> {
      const shown = place;
      return enqueue(async () => {
        const item = items[shown];
        // The answer is for the item that was shown, not for one that came since.
        if (place !== shown || item === undefined || !item.fields.includes(field)) return;
        if (answerTo(item, field) === value) return;
        const wasDone = isDone(item);
        try {
          await save({ item: item.id, field, value });
          failure = null;
          answers.set(keyOf(item.id, field), value);
          if (!wasDone && isDone(item)) place = nextOpen(place + 1);
        } catch (problem) {
          failure = problem instanceof Error ? problem.message : String(problem);
        }
      });
    },
    go: (steps: number): Promise<void> =>
      enqueue(() => {
        place = Math.max(0, Math.min(items.length, place + steps));
      }),
    /** Goes to the first item without an answer, or to the end. */
    goToOpen: (): Promise<void> =>
      enqueue(() => {
        place = nextOpen(0);
      }),
  };
}

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

function choice(value: Answer, name: string, ...keys: string[]): Choice {
  return { value, name, keys };
}

const YES_NO = [choice('yes', 'Yes', 'y'), choice('no', 'No', 'n')];

export const QUESTIONS: Readonly<Record<Field, Question>> = {
  stated: { text: 'Do the highlighted words state the key point?', choices: YES_NO },
  helps: {
    text: 'The key point helps to answer the query.',
    choices: [
      choice('agree', 'Agree', 'a', '1'),
      choice('neutral', 'Neutral', 'u', '2'),
      choice('disagree', 'Disagree', 'd', '3'),
    ],
  },
  attested: { text: 'Does the document attest this answer to the question?', choices: YES_NO },
  importance: {
    text: 'How much does a good report need it?',
    choices: [
      choice('vital', 'Vital', 'v', '1'),
      choice('okay', 'Okay', 'o', '2'),
      choice('unwanted', 'Unwanted', 'x', '3'),
    ],
  },
  answerable: { text: 'Does the text answer the question?', choices: YES_NO },
  correct: {
    text: 'Does it answer as the reference answer does?',
    choices: [choice('yes', 'As the reference', 'c'), choice('no', 'Otherwise, or not', 'w')],
  },
  entailed: { text: 'Does the text entail the claim?', choices: YES_NO },
  reported: { text: 'Does the sentence report an answer of the nugget?', choices: YES_NO },
  // Mayfield et al. 2024, section 4.
  outcome: {
    text: 'What becomes of the sentence?',
    choices: [
      choice('1', '1: a cited document does not support it', '1'),
      choice('2', '2: supported, reports no nugget', '2'),
      choice('3', '3: supported, reports a nugget', '3'),
      choice('4', '4: needs no citation', '4'),
      choice('5', '5: needs a citation and has none', '5'),
      choice('6', '6: states again what is cited elsewhere', '6'),
      choice('7', '7: states an absence that no nugget states', '7'),
      choice('8', '8: states an absence that a nugget states', '8'),
    ],
  },
  rating: {
    text: 'How likely is it that a reader of these documents asks this?',
    choices: [
      choice('1', '1: very unlikely', '1'),
      choice('2', '2: unlikely', '2'),
      choice('3', '3: in between', '3'),
      choice('4', '4: likely', '4'),
      choice('5', '5: very likely', '5'),
    ],
  },
  distinct: {
    text: 'How many of these readers want something different?',
    choices: (['1', '2', '3', '4', '5'] as const).map((count) => choice(count, count, count)),
  },
  covered: {
    text: 'How far does the best bullet cover the insight?',
    choices: [choice('fully', 'Fully', 'f'), choice('partly', 'Partly', 'p'), choice('no', 'Not at all', 'n')],
  },
};

/** The meaning of a key for the given questions: items to go on by, or an answer; null for none. */
type KeyMeaning = { readonly steps: number } | { readonly field: Field; readonly value: Answer };

const STEPS: Readonly<Record<string, number>> = { arrowright: 1, j: 1, arrowleft: -1, k: -1 };

export function meaningOf(key: string, asked: readonly Field[]): KeyMeaning | null {
  const pressed = key.toLowerCase();
  if (Object.hasOwn(STEPS, pressed)) return { steps: STEPS[pressed] };
  for (const field of asked) {
    const found = QUESTIONS[field].choices.find(({ keys }) => keys.includes(pressed));
    if (found !== undefined) return { field, value: found.value };
  }
  return null;
}
