import { TesseraError } from '../../text/index.ts';
import { askingAgain } from './asking-again.ts';
import type { Counts, HaystackOptions } from './haystack-options.ts';

/** What the model answered gave no haystack: no subtopic with enough insights, or no document that tells any. */
export class NoHaystackError extends TesseraError {
  readonly code = 'no-haystack';

  /** @param counts of the making: what came, and what was dropped and why */
  constructor(counts: Counts, options: HaystackOptions) {
    super(`Nothing was made. ${reason(counts, options)}`);
  }
}

/** The first step that gave nothing, what it did give, and what to try. */
function reason(counts: Counts, { insights, words }: HaystackOptions): string {
  const { subtopicsGiven = 0, insightsGiven = 0, unwritten = 0, unread = 0, documents = 0, unfounded = 0 } = counts;
  if (subtopicsGiven === 0) {
    return `The model gave no outline of the topic that could be read. Ask for it once more (${askingAgain(counts)}), or another model (--model).`;
  }
  // Without an outline nothing is counted of documents.
  if (counts.documents === undefined) {
    const dropped = [
      told(counts.unspecific, 'hold no number, date or name, or are longer than a sentence, also when asked for again'),
      told(counts.repeatedInsights, 'were there before'),
      told(counts.recategorised, 'fit another subtopic, or none, when seen without theirs'),
    ].filter((each) => each !== null);
    const why = dropped.length === 0 ? '' : ` Dropped were insights that ${dropped.join('; that ')}.`;
    return `No subtopic of the outline (subtopics: ${subtopicsGiven}, insights: ${insightsGiven}) has the ${insights.least} insights that --insights asks for at least.${why} Ask for fewer (--insights), say a topic that there are facts about (--topic), or ask another model (--model).`;
  }
  if (documents === 0) {
    const none = [
      told(unwritten, 'the model wrote nothing'),
      told(unread, 'it gave no readable answer about what they tell'),
    ].filter((each) => each !== null);
    return `There is no document: ${none.join('; ')}. Ask for them once more (${askingAgain(counts)}), another model (--model), or for shorter documents than ${words} words (--words).`;
  }
  const quotes = unfounded === 0 ? '' : ` For ${unfounded} it gave words that the document does not hold.`;
  return `The model wrote ${documents} documents, but when it read them again it found no insight in any of them.${quotes} It does not read well enough, or does not write what it is asked to: ask another one (--model).`;
}

function told(count = 0, what: string): string | null {
  return count === 0 ? null : `${what}: ${count}`;
}
