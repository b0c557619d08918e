import { countWords } from './count-words.ts';

/** What is left of a bound on words, for sentences that may be left out. */
export class WordBudget {
  private left: number;

  /** @param taken Texts that stand whatever the bound says. */
  constructor(maxWords: number | null, taken: readonly string[]) {
    const words = taken.reduce((sum, text) => sum + countWords(text), 0);
    this.left = maxWords === null ? Number.POSITIVE_INFINITY : maxWords - words;
  }

  /** Whether all the texts fit; if so their words are spent. */
  spend(...texts: readonly string[]): boolean {
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    if (words > this.left) return false;
    this.left -= words;
    return true;
  }
}
