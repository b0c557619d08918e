import { describe, expect, test } from 'vitest';
import type { Point } from '../../../src/digest/extract/points.ts';
import type { ReadDocument } from '../../../src/digest/extract/read-documents.ts';
import { quotesInContext } from '../../../src/digest/select/selected-points.ts';

const NAMING = 'Acme Mining bought the quarry near Marlow in 1987.';
const QUOTE = 'It sold the land again after a year.';
const filler = (count: number) =>
  Array.from({ length: count }, (_, i) => `The ${i}th truck came late that day.`).join(' ');
/** The name stands behind the opening and further before the quote than its surroundings reach. */
const TEXT = `The council met on Friday. ${filler(20)} ${NAMING} ${filler(12)} ${QUOTE} ${filler(3)}`;

function contextOf(text: string, wording: string, document: { title?: string } = {}) {
  const start = text.indexOf(QUOTE);
  const point = {
    documentIndex: 0,
    text: wording,
    quote: { text: QUOTE, start, end: start + QUOTE.length },
    moreQuotes: [],
  };
  const documents = [{ document: { id: 'd', text, ...document } }];
  return quotesInContext(documents as unknown as ReadDocument[])(point as unknown as Point);
}

describe('what a judge is shown of a point', () => {
  test('holds the nearest sentence before that names what nothing around the quote does', () => {
    const { inContext = [], opening = '', earlier } = contextOf(TEXT, 'Acme Mining sold the land again after a year.');
    expect([inContext[0].before, inContext[0].after, opening].join(' ')).not.toContain('Acme');
    expect(earlier).toBe(NAMING);
    expect(contextOf(`${NAMING} ${TEXT}`, 'Acme sold the land again.').earlier).toBeUndefined();
    expect(contextOf(TEXT, 'The land was sold a year after 1987.').earlier).toBe(NAMING);
  });

  test('holds no more where all names are shown, or none of the document is meant', () => {
    expect(contextOf(TEXT, 'It sold the land again after a year.').earlier).toBeUndefined();
    expect(contextOf(TEXT, 'Zenith sold the land again after a year.').earlier).toBeUndefined();
    const after = TEXT.replace(NAMING, 'After Easter nobody came.');
    expect(contextOf(after, 'After a year it sold the land again.').earlier).toBeUndefined();
    const title = 'Acme Mining leaves Marlow';
    expect(contextOf(TEXT, 'Acme Mining sold the land again after a year.', { title }).earlier).toBeUndefined();
  });
});
