import type { Answer, Decided, Field, Item, NewLabel } from '../../contract/index.ts';

/** Where an annotator is. */
interface Progress {
  /** Place of the item that is shown; the number of items behind the last one. */
  readonly place: number;
  /** Items with an answer to everything that is asked of them. */
  readonly done: number;
  /** Whether a decision can be taken back. */
  readonly canUndo: boolean;
  /** What the last decision failed for. */
  readonly failure: string | null;
  /** What has just happened, in words; another object every time. */
  readonly told: { readonly text: string };
}

export interface AnnotationSession {
  progress(): Progress;
  answerTo(item: Item, field: Field): Answer | null;
  /**
   * Takes down an answer to what is asked of the item that is shown, and goes on once all of it is answered; nothing where
   * another one is shown by the time that it is its turn.
   */
  decide(field: Field, value: Answer): Promise<void>;
  /** Takes back the last decision, and shows its item. */
  undo(): Promise<void>;
  go(steps: number): Promise<void>;
  /** Goes to the first item that lacks an answer, or behind the last one. */
  goToOpen(): Promise<void>;
}

/** A decision and what it replaced. */
interface Step {
  readonly place: number;
  readonly field: Field;
  readonly before: Answer | null;
}

/**
 * Decisions one after another: what is asked for while one is being written waits for it. A decision counts once it is
 * written.
 *
 * @param known what was decided before
 * @param save fails where a decision may not be written
 * @param onChange told whenever anything is other than before
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

  /** The first open item from a place on, then from the start; behind the last one where none is open. */
  function nextOpen(from: number): number {
    const isOpen = (item: Item) => !isDone(item);
    const later = items.findIndex((item, index) => index >= from && isOpen(item));
    const found = later < 0 ? items.findIndex(isOpen) : later;
    return found < 0 ? items.length : found;
  }

  function mapConcurrent(act: () => Promise<void> | void): Promise<void> {
    waiting = waiting.then(act).then(onChange);
    return waiting;
  }

  /** Whether it is written. */
  async function written(item: Item, field: Field, value: Answer | null): Promise<boolean> {
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
      return mapConcurrent(async () => {
        const item = items[shown];
        // Meant for what was shown then: what has come since was not seen.
        if (place !== shown || item === undefined || !item.fields.includes(field)) return;
        const before = answerTo(item, field);
        const wasDone = isDone(item);
        if (before === value || !(await written(item, field, value))) return;
        steps.push({ place, field, before });
        if (wasDone || !isDone(item)) told = { text: `${value}: kept` };
        else show(nextOpen(place + 1));
      });
    },
    undo: () =>
      mapConcurrent(async () => {
        const last = steps.at(-1);
        if (last === undefined || !(await written(items[last.place], last.field, last.before))) return;
        steps.pop();
        show(last.place);
        told = { text: `Taken back. ${told.text}` };
      }),
    go: (count) => mapConcurrent(() => show(Math.max(0, Math.min(items.length, place + count)))),
    goToOpen: () => mapConcurrent(() => show(nextOpen(0))),
  };
}

function keyOf(item: string, field: Field): string {
  return `${field} ${item}`;
}
