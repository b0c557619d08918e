import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords } from '../../../src/summary/count-words.ts';
import { assembly } from '../../../src/summary/rewrite/assembly.ts';
import type { NumberedPoint } from '../../../src/summary/rewrite/material.ts';
import type { SummarySentence } from '../../../src/summary/summary.ts';

/** A point of so many words. */
function pointOf(number: number, words: number, isSelected = true): NumberedPoint {
  const text = `${Array.from({ length: words }, (_, n) => `own${number}x${n}`).join(' ')}.`;
  const quote = { text, start: 0, end: text.length };
  const own: SummarySentence = {
    text,
    framing: false,
    keyPoints: [`kp${number}`],
    citations: [{ document: `d${number}`, quote }],
    support: 1,
    disagreement: null,
  };
  return { number, own, ownWords: countWords(text), quotes: [text], allowedNames: [], isSelected };
}

function partsOf(format: 'report' | 'bullets', points: readonly NumberedPoint[], words: number) {
  const told: SummarySentence[] = [];
  const paragraphs = points.map(({ number }) => [number]);
  const text = assembly({ format, points, paragraphs, words, onSentence: (sentence) => told.push(sentence) });
  return { text, told, toldTexts: () => told.map((sentence) => sentence.text) };
}

const textsOf = (paragraphs: readonly (readonly SummarySentence[])[]) =>
  paragraphs.map((paragraph) => paragraph.map(({ text }) => text));

describe('a report', () => {
  const [a, b, c] = [pointOf(1, 5), pointOf(2, 5), pointOf(3, 5)];

  it('tells sentences when all before them stand', () => {
    const { text, toldTexts } = partsOf('report', [a, b, c], 100);
    const first = text.place('First.', [a], 0);
    const second = text.place('Second.', [b], 1);
    if (first === null || second === null) throw new Error('no place');
    expect(text.fill(second, 'Second.', [b], 0.9)).toBe(true);
    expect(toldTexts()).toEqual([]);
    expect(text.fill(first, 'First.', [a], 0.8)).toBe(true);
    expect(toldTexts()).toEqual(['First.', 'Second.']);
    const { paragraphs, replaced, added } = text.finish();
    expect(textsOf(paragraphs)).toEqual([['First.'], ['Second.'], [c.own.text]]);
    expect({ replaced, added }).toEqual({ replaced: 0, added: 1 });
    expect(toldTexts()).toEqual(['First.', 'Second.', c.own.text]);
  });

  it('puts own wording in the place of what stays empty, once', () => {
    const { text, toldTexts } = partsOf('report', [a, b, c], 100);
    text.place('Failing.', [b, a], 0);
    const second = text.place('Second.', [b], 0);
    text.place('Failing too.', [a], 1);
    if (second === null) throw new Error('no place');
    text.fill(second, 'Second.', [b], 1);
    const { paragraphs, replaced, added } = text.finish();
    expect(textsOf(paragraphs)).toEqual([[a.own.text, 'Second.'], [c.own.text]]);
    expect({ replaced, added }).toEqual({ replaced: 1, added: 1 });
    expect(toldTexts()).toEqual([a.own.text, 'Second.', c.own.text]);
  });

  it('puts several points in the order of their numbers', () => {
    const { text } = partsOf('report', [a, b, c], 100);
    text.place('Failing.', [c, a, b], 0);
    expect(textsOf(text.finish().paragraphs)).toEqual([[a.own.text, b.own.text, c.own.text]]);
  });

  it('fills a place once, and says nothing twice', () => {
    const { text, toldTexts } = partsOf('report', [a, b, c], 100);
    const first = text.place('First, one.', [a], 0);
    expect(text.place('FIRST one', [a], 0)).toBeNull();
    const second = text.place('First one!', [b], 0);
    if (first === null || second === null) throw new Error('no place');
    expect(text.fill(first, 'First, one.', [a], 1)).toBe(true);
    expect(text.fill(first, 'Another.', [a], 1)).toBe(false);
    expect(text.fill(second, 'First one!', [b], 1)).toBe(false);
    expect(text.place('first ONE', [c], 0)).toBeNull();
    expect(toldTexts()).toEqual(['First, one.']);
  });

  it('tells apart words that differ in their marks', () => {
    const { text } = partsOf('report', [a, b], 100);
    const first = text.place('दिन की बात', [a], 0);
    if (first === null) throw new Error('no place');
    text.fill(first, 'दिन की बात', [a], 1);
    expect(text.place('दीन कि बात', [b], 0)).not.toBeNull();
  });

  it('keeps room for the points that are not cited yet', () => {
    const { text } = partsOf('report', [a, b, c], 17);
    const long = text.place('x', [a], 0);
    if (long === null) throw new Error('no place');
    // Two words more than are needed for all in their own wording: 7 in the place of 5.
    expect(text.fill(long, 'a b c d e f g h', [a], 1)).toBe(false);
    expect(text.fill(long, 'a b c d e f g', [a], 1)).toBe(true);
    const spare = text.place('y', [a], 0);
    if (spare === null) throw new Error('no place');
    expect(text.fill(spare, 'one', [a], 1)).toBe(false);
    // A sentence for two points saves words.
    expect(text.fill(spare, 'for both', [b, c], 1)).toBe(true);
    expect(text.finish().added).toBe(0);
  });

  it('does not owe what is not selected', () => {
    const counter = pointOf(2, 5, false);
    const { text } = partsOf('report', [a, counter], 100);
    text.place('Failing.', [counter], 0);
    const { paragraphs, replaced, added } = text.finish();
    expect(textsOf(paragraphs)).toEqual([[a.own.text]]);
    expect({ replaced, added }).toEqual({ replaced: 0, added: 1 });
  });
});

describe('bullets', () => {
  const points = [pointOf(1, 3), pointOf(2, 3), pointOf(3, 3)];
  const [a, b, c] = points;

  it('stand by rank, and are told so', () => {
    const { text, toldTexts } = partsOf('bullets', points, 100);
    for (const [sentence, point] of [
      ['Third.', c],
      ['First.', a],
    ] as const) {
      const slot = text.place(sentence, [point], 5);
      if (slot === null) throw new Error('no place');
      text.fill(slot, sentence, [point], 1);
    }
    expect(toldTexts()).toEqual(['First.']);
    const { paragraphs, replaced, added } = text.finish();
    expect(textsOf(paragraphs)).toEqual([['First.', b.own.text, 'Third.']]);
    expect({ replaced, added }).toEqual({ replaced: 0, added: 1 });
    expect(toldTexts()).toEqual(['First.', b.own.text, 'Third.']);
  });

  it('have one sentence for each point, though it cites others', () => {
    const { text } = partsOf('bullets', points, 100);
    const slot = text.place('Two of them.', [b, a], 0);
    if (slot === null) throw new Error('no place');
    text.fill(slot, 'Two of them.', [b, a], 1);
    expect(text.place('Second again.', [b], 0)).toBeNull();
    expect(text.place('Unknown.', [pointOf(9, 3, false)], 0)).toBeNull();
    expect(textsOf(text.finish().paragraphs)).toEqual([[a.own.text, 'Two of them.', c.own.text]]);
  });

  it('are not filled with a sentence that does not cite their point', () => {
    const { text } = partsOf('bullets', points, 100);
    const slot = text.place('Two of them.', [a, b], 0);
    if (slot === null) throw new Error('no place');
    expect(text.fill(slot, 'Second.', [b], 1)).toBe(false);
    expect(textsOf(text.finish().paragraphs)).toEqual([[a.own.text, b.own.text, c.own.text]]);
  });

  it('that failed are replaced', () => {
    const { text } = partsOf('bullets', points, 100);
    text.place('Failing.', [a], 0);
    expect(text.finish()).toMatchObject({ replaced: 1, added: 2 });
  });
});

const step = fc.record({
  text: fc
    .integer({ min: 0, max: 30 })
    .map((words) => Array.from({ length: words }, (_, n) => `w${words}x${n}`).join(' ')),
  cites: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 }),
  paragraph: fc.nat(2),
  /** When it is filled: at once, later, or never. */
  when: fc.constantFrom('now', 'later', 'never'),
});

describe('any draft', () => {
  it('keeps within the words where the own wording does, loses no point, and tells what it gives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('report' as const, 'bullets' as const),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean()), { minLength: 1, maxLength: 10, size: 'max' }),
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.integer({ min: -20, max: 40 }),
        (format, sizes, steps, spare) => {
          const points = sizes.map(([words, isSelected], index) =>
            pointOf(index + 1, words, isSelected || format === 'bullets'),
          );
          const selected = points.filter(({ isSelected }) => isSelected);
          const needed = selected.reduce((sum, { ownWords }) => sum + ownWords, 0);
          const { text, told } = partsOf(format, points, needed + spare);
          let paragraph = 0;
          let filled = 0;
          const later: (() => boolean)[] = [];
          for (const each of steps) {
            const cited = each.cites.map((at) => points[at % points.length]);
            const unique = [...new Set(cited)];
            paragraph += each.paragraph === 2 ? 1 : 0;
            const slot = text.place(each.text, unique, paragraph);
            if (slot === null) continue;
            const fill = () => text.fill(slot, each.text, unique, 0.7);
            if (each.when === 'now' && fill()) filled++;
            if (each.when === 'later') later.push(fill);
          }
          for (const fill of later) if (fill()) filled++;
          const { paragraphs, replaced, added } = text.finish();
          const sentences = paragraphs.flat();
          expect(told).toEqual(sentences);
          expect(sentences).toHaveLength(filled + replaced + added);
          const words = sentences.reduce((sum, sentence) => sum + countWords(sentence.text), 0);
          if (spare >= 0) expect(words).toBeLessThanOrEqual(needed + spare);
          else expect(words).toBeLessThanOrEqual(needed);
          const keyPoints = sentences.flatMap((sentence) => sentence.keyPoints);
          for (const { number } of selected) expect(keyPoints).toContain(`kp${number}`);
          if (format === 'bullets') expect(sentences).toHaveLength(selected.length);
          const texts = sentences.map((sentence) => sentence.text);
          expect(new Set(texts).size).toBe(texts.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
