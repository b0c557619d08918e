import { mean } from '../../evaluation/mean.ts';
import { readBullet } from '../../evaluation/summhay/read-bullet.ts';
import { NO_USAGE } from '../../models/language/usage.ts';
import { countWords } from '../../summary/count-words.ts';
import type { Collection, PassageSpan } from '../benchmark-set.ts';
import { wordsOf } from './output-of-digest.ts';
import type { GivenOutput } from './system.ts';
import type { SystemOutput } from './system-output.ts';

/** What another system said, as it is scored: figures are those that can be told from its words alone. */
export function outputOfFile(
  { sentences, given, cost, picks, asked }: GivenOutput,
  { documents }: Collection,
): SystemOutput {
  const known = new Set(documents.map(({ id }) => id));
  const read = sentences
    .map((sentence) => ({ ...readBullet(sentence, known), quote: quoteOf(sentence) }))
    .filter(({ text }) => text !== '');
  const quotes = read.flatMap(({ quote }) => quote ?? []);
  const ids = given ?? documents.map(({ id }) => id);
  const shown = documents.filter(({ id }) => ids.includes(id));
  const cited = new Set(read.flatMap((sentence) => sentence.documents).filter((id) => ids.includes(id)));
  const sentenceWords = read.map(({ text }) => countWords(text));
  const words = sentenceWords.reduce((sum, each) => sum + each, 0);
  const inputWords = wordsOf(shown);
  return {
    sentences: read,
    picks: picks ?? (quotes.length > 0 ? quotes : null),
    asked: asked ?? null,
    given: ids,
    figures: {
      'input.words': inputWords,
      'digest.citedDocuments': ids.length === 0 ? null : cited.size / ids.length,
      'digest.compression': inputWords === 0 ? null : words / inputWords,
      'digest.words': words,
      'digest.wordsPerSentence': mean(sentenceWords),
      'digest.cost': cost ?? null,
    },
    sentenceWords,
    isPartial: false,
    usage: NO_USAGE,
  };
}

function quoteOf(sentence: GivenOutput['sentences'][number]): PassageSpan | null {
  return typeof sentence === 'string' ? null : (sentence.quote ?? null);
}
