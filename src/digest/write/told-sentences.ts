import type { OnSentence } from '../../summary/rewrite/assembly.ts';
import type { SummarySentence } from '../../contract/summary.ts';

/** Counts the sentences that were told, so that those of a summary that an attempt before wrote are told as well. */
export function toldSentences(onSentence: OnSentence | undefined) {
  let told = 0;
  const tell: OnSentence | undefined =
    onSentence &&
    ((sentence) => {
      told++;
      onSentence(sentence);
    });
  return {
    onSentence: tell,
    rest(sentences: readonly SummarySentence[]) {
      for (const sentence of sentences.slice(told)) onSentence?.(sentence);
    },
  };
}
