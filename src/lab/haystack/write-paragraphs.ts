import type { Span } from '../../text/documents/document.ts';
import type { Random } from '../../selection/dpp/random.ts';
import { shuffled } from '../../selection/dpp/shuffled.ts';
import type { PooledStatement } from './statement-pool.ts';

/** A text of statements, and where each of them stands in it. */
export interface WrittenStatements {
  readonly text: string;
  readonly spans: readonly (Span & { readonly statement: number })[];
}

const ENDED = /[\p{Sentence_Terminal}…:;]["'”’»)\]]*$/u;

/**
 * The statements of a document as its text: a paragraph for each topic, topics and statements in an order that is drawn. A
 * statement without a full stop gets one behind it, so that the next begins a sentence.
 */
export function writeParagraphs(
  places: readonly number[],
  statements: readonly PooledStatement[],
  random: Random,
): WrittenStatements {
  const topics = shuffled([...new Set(places.map((place) => statements[place].topic))], random);
  let text = '';
  const spans: (Span & { readonly statement: number })[] = [];
  for (const topic of topics) {
    if (text !== '') text += '\n\n';
    const own = shuffled(
      places.filter((place) => statements[place].topic === topic),
      random,
    );
    for (const [at, statement] of own.entries()) {
      if (at > 0) text += ' ';
      const stated = statements[statement].text;
      spans.push({ start: text.length, end: text.length + stated.length, statement });
      text += ENDED.test(stated) ? stated : `${stated}.`;
    }
  }
  return { text, spans };
}
