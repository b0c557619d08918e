import type { AnnotatedSource, Answer, Decided, Field, Item, NewLabel, Session } from '../../contract/index.ts';

export interface LabelService {
  session(): Promise<Session>;
  labelsOf(annotator: string): Promise<readonly Decided[]>;
  document(place: number): Promise<AnnotatedSource>;
  save(label: NewLabel): Promise<void>;
}

interface Progress {
  /** Index of the item that is shown; the number of items at the end. */
  readonly place: number;
  /** Items with answers to all questions. */
  readonly done: number;
  readonly canUndo: boolean;
  readonly failure: string | null;
  /** Announcement of the last event; a new object each time. */
  readonly told: { readonly text: string };
}

export interface AnnotationSession {
  progress(): Progress;
  answerTo(item: Item, field: Field): Answer | null;
  /** Answers a question about the shown item and moves on when all are answered. Ignored if the item has changed by then. */
  decide(field: Field, value: Answer): Promise<void>;
  undo(): Promise<void>;
  go(steps: number): Promise<void>;
  /** Goes to the first item without an answer, or to the end. */
  goToOpen(): Promise<void>;
}

interface Step {
  readonly place: number;
  readonly field: Field;
  readonly before: Answer | null;
}

/**
 * The decisions of one annotator. Each act waits until the one before is saved; a decision counts once it is saved.
 *
 * @param save rejects if a decision cannot be saved
 * @param onChange called after each act
 */
export function annotationSession(
  items: readonly Item[],
  known: readonly Decided[],
  save: (label: Omit<NewLabel, 'annotator'>) => Promise<void>,
  onChange: () => void,
): AnnotationSession {
  const answers = new Map<string, Answer>();
  for (const { item, field, value } of known) answers.set(keyOf(item, field), value);
  const steps: Step[] = [];
  let place = nextOpen(0);
  let failure: string | null = null;
  let told = { text: '' };
  let waiting: Promise<void> = Promise.resolve();

  function answerTo({ id }: Pick<Item, 'id'>, field: Field): Answer | null {
    return answers.get(keyOf(id, field)) ?? null;
  }

  function isDone(item: Item): boolean {
    return item.fields.every((field) => answerTo(item, field) !== null);
  }

  /** The first open item from an index on, then from the start; the end if none is open. */
  function nextOpen(from: number): number {
    const isOpen = (item: Item) => !isDone(item);
    const later = items.findIndex((item, index) => index >= from && isOpen(item));
    const found = later < 0 ? items.findIndex(isOpen) : later;
    return found < 0 ? items.length : found;
  }

  function enqueue(act: () => Promise<void> | void): Promise<void> {
    waiting = waiting.then(act).then(onChange);
    return waiting;
  }

  async function saved(item: Item, field: Field, value: Answer | null): Promise<boolean> {
    try {
      await save({ item: item.id, field, value });
    } catch (problem) {
      failure = problem instanceof Error ? problem.message : String(problem);
      return false;
    }
    failure = null;
    if (value === null) answers.delete(keyOf(item.id, field));
    else answers.set(keyOf(item.id, field), value);
    return true;
  }

  function show(next: number): void {
    place = next;
    const isItem = next < items.length;
    told = { text: isItem ? `Item ${next + 1} of ${items.length}: ${items[next].statement}` : 'The end of the items' };
  }

  return {
    progress: () => ({ place, done: items.filter(isDone).length, canUndo: steps.length > 0, failure, told }),
    answerTo,
    decide: (field, value) => {
      const shown = place;
      return enqueue(async () => {
        const item = items[shown];
        // The answer is for the item that was shown, not for one that came since.
        if (place !== shown || item === undefined || !item.fields.includes(field)) return;
        const before = answerTo(item, field);
        const wasDone = isDone(item);
        if (before === value || !(await saved(item, field, value))) return;
        steps.push({ place, field, before });
        if (wasDone || !isDone(item)) told = { text: `${value}: kept` };
        else show(nextOpen(place + 1));
      });
    },
    undo: () =>
      enqueue(async () => {
        const last = steps.at(-1);
        if (last === undefined || !(await saved(items[last.place], last.field, last.before))) return;
        steps.pop();
        show(last.place);
        told = { text: `Taken back. ${told.text}` };
      }),
    go: (count) => enqueue(() => show(Math.max(0, Math.min(items.length, place + count)))),
    goToOpen: () => enqueue(() => show(nextOpen(0))),
  };
}

function keyOf(item: string, field: Field): string {
  return `${field} ${item}`;
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

/** The meaning of a key for the given questions; null for none. */
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
