import type { Question, StageModel } from '../../models/index.ts';
import { CLOSING, numbersOfList } from '../../text/index.ts';
import { type DraftSentence, parseDraft, standingSentences } from './parse-draft.ts';

/** What a line names by numbers. */
interface Named {
  readonly numbers: ReadonlySet<number>;
  /** Whether it names all, or all that the text does not. */
  readonly all: boolean;
}

/** What a writer says of its text; null for what it does not say. */
export interface DraftNotes {
  /** Points that it left out. */
  readonly leftOut: Named | null;
  /** Parts of the question that the points do not answer. */
  readonly unanswered: Named | null;
}

/** A draft: its sentences as they come, and, once they have come, what is said of it. */
export interface Draft {
  readonly sentences: AsyncIterable<DraftSentence>;
  notes(): DraftNotes;
  /** All that was written, as it came. */
  text(): string;
}

/** Notes of a writer that makes none. */
export const NO_NOTES: DraftNotes = { leftOut: null, unanswered: null };

/** A stream is read again only if a marker or a line may have ended. */
const SENTENCE_MAY_END = new RegExp(`[${CLOSING}\\n]`);

/**
 * Starts a call that writes, and gives the sentences of its draft: streamed, each as soon as the next has begun. A draft
 * that breaks off and is tried again starts anew; what it repeats has been placed before.
 *
 * @throws ModelCallError from the iteration, after the sentences that came
 */
export function draftOf(
  model: StageModel,
  { isStreamed, ...question }: Omit<Question, 'onText' | 'onRestart'> & { readonly isStreamed: boolean },
): Draft {
  let text = '';
  let given = 0;
  let wake = (): void => {};
  // What an attempt that broke off gave already is not given again.
  const yielded = new Set<string>();
  let before: ReadonlySet<string> = new Set();
  let outcome: { readonly failure?: unknown } | null = null;
  const streaming = {
    onText: (piece: string) => {
      text += piece;
      if (SENTENCE_MAY_END.test(piece)) wake();
    },
    onRestart: () => {
      text = '';
      given = 0;
      before = new Set(yielded);
    },
  };
  model.ask({ ...question, ...(isStreamed && streaming) }).then(
    (whole) => {
      text = whole;
      outcome = {};
      wake();
    },
    (failure: unknown) => {
      outcome = { failure };
      wake();
    },
  );

  // Read once for all the sentences that it gives.
  let known: { readonly of: string; readonly isWhole: boolean; readonly found: readonly DraftSentence[] } | null = null;
  function parsed(isWhole: boolean): readonly DraftSentence[] {
    if (known !== null && known.of === text && known.isWhole === isWhole) return known.found;
    const own = text.replace(NOTE, '');
    const found = isWhole ? parseDraft(own) : standingSentences(own);
    known = { of: text, isWhole, found };
    return found;
  }

  async function* read(): AsyncGenerator<DraftSentence> {
    for (;;) {
      // A draft that broke off may end anywhere, as one that is still written does.
      const isWhole = outcome !== null && !('failure' in outcome);
      const found = parsed(isWhole);
      if (given < found.length) {
        given++;
        const { text: said, numbers } = found[given - 1];
        const key = JSON.stringify([said, numbers]);
        if (!before.has(key)) yield found[given - 1];
        yielded.add(key);
        continue;
      }
      if (isWhole) return;
      if (outcome !== null && 'failure' in outcome) throw outcome.failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (outcome !== null) resolve();
      });
    }
  }
  return { sentences: { [Symbol.asyncIterator]: read }, notes: () => notesIn(text), text: () => text };
}

/** What a writer says of its text, in lines of their own: a label, and numbers or a word for none or all of them. */
const NOTE =
  /^[ \t*_#>-]*(LEFT OUT|NOT ANSWERED)[*_]*[ \t]*:[ \t*_"“'([]*((?:none|nothing|all|everything|(?:the )?(?:rest|others?|remaining)|\d).*)$/gim;
const ALL = /^(?:all|everything|(?:the )?(?:rest|others?|remaining))\b/i;
const NONE = /^(?:none|nothing)\b/i;

function notesIn(text: string): DraftNotes {
  const named = (label: string): Named | null => {
    const lines = [...text.matchAll(NOTE)].filter(([, each]) => each.toUpperCase() === label).map(([, , rest]) => rest);
    if (lines.length === 0) return null;
    const naming = lines.filter((line) => !NONE.test(line));
    return { all: naming.some((line) => ALL.test(line)), numbers: new Set(naming.flatMap(numbersOfList)) };
  };
  return { leftOut: named('LEFT OUT'), unanswered: named('NOT ANSWERED') };
}
