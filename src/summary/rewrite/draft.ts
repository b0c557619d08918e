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

/** How much longer a draft is when it is parsed again, so that all parsing stays linear in its length. */
const GROWTH = 1.05;

/** Of a longer draft the beginning is read, in UTF-16 units; sentences of 200 points, as many as a prompt holds, take 30,000. */
const MAX_LENGTH = 50_000;

interface Streaming {
  readonly onText: (piece: string) => void;
  readonly onRestart: () => void;
}

/** The text of a writer, and why its last call failed, if the text is what an earlier one wrote. */
interface WrittenText {
  readonly text: string;
  readonly failed?: unknown;
}

/**
 * Starts writing and yields the sentences of the draft; a streamed sentence is yielded once the next has begun.
 * A retry starts over; sentences already yielded are skipped.
 * @throws ModelCallError from the iteration, after the sentences that arrived
 */
export function draftOf(writing: (streaming: Streaming) => Promise<WrittenText>): Draft {
  let text = '';
  let given = 0;
  let isWhole = false;
  let mayEnd = false;
  let parsed = 0;
  let failed: { readonly thrown: unknown } | null = null;
  let wake = (): void => {};
  // Skip sentences that an interrupted attempt already yielded.
  const yielded = new Set<string>();
  let before: ReadonlySet<string> = new Set();
  const streaming = {
    onText: (piece: string) => {
      text += piece;
      mayEnd ||= SENTENCE_MAY_END.test(piece);
      if (mayEnd && text.length >= GROWTH * parsed && parsed <= MAX_LENGTH) wake();
    },
    onRestart: () => {
      text = '';
      parsed = 0;
      given = 0;
      before = new Set(yielded);
    },
  };
  writing(streaming)
    .then(
      (written) => {
        text = written.text;
        isWhole = true;
        if (written.failed !== undefined) failed = { thrown: written.failed };
      },
      (thrown: unknown) => {
        failed = { thrown };
      },
    )
    .finally(() => wake());

  async function* read(): AsyncGenerator<DraftSentence> {
    for (;;) {
      const [seen, isLast] = [text, isWhole];
      [parsed, mayEnd] = [seen.length, false];
      const isAll = isLast && seen.length <= MAX_LENGTH;
      const found = (isAll ? parseDraft : standingSentences)(seen.slice(0, MAX_LENGTH).replace(NOTE, ''));
      while (given < found.length && text.startsWith(seen)) {
        const sentence = found[given++];
        const key = JSON.stringify([sentence.text, sentence.numbers]);
        if (!before.has(key)) yield sentence;
        yielded.add(key);
      }
      // More may have arrived while sentences were read.
      if (seen !== text || isLast !== isWhole) continue;
      if (failed !== null) throw failed.thrown;
      if (isLast) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
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
