import type { Question, StageModel } from '../../models/index.ts';
import { CLOSING, numbersOfList } from '../../text/index.ts';
import { type DraftSentence, parseDraft, standingSentences } from './parse-draft.ts';

interface Named {
  readonly numbers: ReadonlySet<number>;
  readonly all: boolean;
}

export interface DraftNotes {
  readonly leftOut: Named | null;
  readonly unanswered: Named | null;
}

export interface Draft {
  readonly sentences: AsyncIterable<DraftSentence>;
  notes(): DraftNotes;
  text(): string;
}

export const NO_NOTES: DraftNotes = { leftOut: null, unanswered: null };

/** Parse the stream again only if a marker or a line may have ended. */
const SENTENCE_MAY_END = new RegExp(`[${CLOSING}\\n]`);

/**
 * Starts a writing call and yields the sentences of its draft; a streamed sentence is yielded once the next has begun.
 * A retry starts over; sentences already yielded are skipped.
 * @throws ModelCallError from the iteration, after the sentences that arrived
 */
export function draftOf(
  model: StageModel,
  { isStreamed, ...question }: Omit<Question, 'onText' | 'onRestart'> & { readonly isStreamed: boolean },
): Draft {
  let text = '';
  let given = 0;
  let wake = (): void => {};
  // Skip sentences that an interrupted attempt already yielded.
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
