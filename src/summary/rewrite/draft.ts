import type { Question, StageModel } from '../../language-models/stage-model.ts';
import { type DraftSentence, parseDraft, standingSentences } from './parse-draft.ts';

/** A stream is read again only where a marker or a line may have ended. */
const SENTENCE_MAY_END = /[\]】］\n]/;

/**
 * Starts a call that writes, and gives the sentences of its draft: streamed, each as soon as the next has begun. A draft
 * that breaks off and is tried again starts anew; what it repeats has been placed before.
 *
 * @throws ModelCallError from the iteration, after the sentences that came
 */
export function draftOf(
  model: StageModel,
  { isStreamed, ...question }: Omit<Question, 'onText' | 'onRestart'> & { readonly isStreamed: boolean },
): AsyncIterable<DraftSentence> {
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

  async function* read(): AsyncGenerator<DraftSentence> {
    for (;;) {
      // A draft that broke off may end anywhere, as one that is still written does.
      const isWhole = outcome !== null && !('failure' in outcome);
      const found = isWhole ? parseDraft(text) : standingSentences(text);
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
  return { [Symbol.asyncIterator]: read };
}
