import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SummarySentence } from '../../../src/contract/index.ts';
import { countWords } from '../../../src/summary/index.ts';
import { Layout, renderText } from '../../../src/summary/layout.ts';
import { assembly, type Slot, type Unplaced } from '../../../src/summary/rewrite/assembly.ts';
import type { NumberedPoint } from '../../../src/summary/rewrite/material.ts';

/** A point of so many words. */
function pointOf(number: number, words: number, helps = true): NumberedPoint {
  const text = `${Array.from({ length: words }, (_, n) => `own${number}x${n}`).join(' ')}.`;
  const quote = { text, start: 0, end: text.length };
  const document = `d${number}`;
  const own: SummarySentence = {
    text,
    framing: false,
    keyPoints: [`kp${number}`],
    citations: [{ document, quote }],
    support: 1,
    verification: 'verbatim',
  };
  return {
    number,
    text,
    document,
    isWorded: false,
    quoteText: text,
    own,
    quoted: null,
    passage: { document: 'd', quotes: [quote] },
    helps,
  };
}

const ownOf = ({ own }: NumberedPoint): SummarySentence => own;
const NOTHING: ReadonlySet<NumberedPoint> = new Set();

function forTenant(points: readonly NumberedPoint[], words: number, sentences = Number.POSITIVE_INFINITY) {
  const told: SummarySentence[] = [];
  const layout = new Layout('report');
  const text = assembly({
    points,
    words,
    reserve: 0,
    sentences,
    layout,
    onSentence: (sentence) => told.push(sentence),
  });
  return { text, told, toldTexts: () => told.map((sentence) => sentence.text) };
}

function placed(place: Slot | Unplaced): Slot {
  if (typeof place === 'string') throw new Error(place);
  return place;
}

/** The texts of sentences by their paragraphs. */
function textsOf(sentences: readonly SummarySentence[]): string[][] {
  const paragraphs: string[][] = [];
  for (const { text, paragraph = -1 } of sentences) paragraphs[paragraph] = [...(paragraphs[paragraph] ?? []), text];
  return paragraphs;
}

describe('a text', () => {
  const [a, b, c] = [pointOf(1, 5), pointOf(2, 5), pointOf(3, 5)];

  it('is told when all before a sentence stand', () => {
    const { text, toldTexts } = forTenant([a, b, c], 100);
    const first = placed(text.place('First.', [a], { paragraph: 0 }));
    const second = placed(text.place('Second.', [b], { paragraph: 1 }));
    expect(text.fill(second, 'Second.', [b], 'judged')).toBeNull();
    expect(toldTexts()).toEqual([]);
    expect(text.fill(first, 'First.', [a], 'verbatim')).toBeNull();
    expect(toldTexts()).toEqual(['First.', 'Second.']);
    expect(text.missing(NOTHING)).toEqual([c]);
    const { sentences, replaced, added, leftOut } = text.finish(ownOf, NOTHING);
    expect(textsOf(sentences)).toEqual([['First.'], ['Second.'], [c.own.text]]);
    expect(sentences.map(({ verification }) => verification)).toEqual(['verbatim', 'judged', 'verbatim']);
    expect({ replaced, added, leftOut }).toEqual({ replaced: 0, added: 1, leftOut: [] });
    expect(toldTexts()).toEqual(['First.', 'Second.', c.own.text]);
  });

  it('has own wording in the place of what stays empty, once', () => {
    const { text, toldTexts } = forTenant([a, b, c], 100);
    text.place('Failing.', [b, a], { paragraph: 0 });
    const second = placed(text.place('Second.', [b], { paragraph: 0 }));
    text.place('Failing too.', [a], { paragraph: 1 });
    text.fill(second, 'Second.', [b], 'judged');
    const { sentences, replaced, added } = text.finish(ownOf, NOTHING);
    expect(textsOf(sentences)).toEqual([[a.own.text, 'Second.'], [c.own.text]]);
    expect({ replaced, added }).toEqual({ replaced: 1, added: 1 });
    expect(toldTexts()).toEqual([a.own.text, 'Second.', c.own.text]);
  });

  it('lets what is to be judged have the words of a reserve, and takes the last of it back where these are needed', () => {
    const layout = new Layout('report');
    const text = assembly({ points: [a, b, c], words: 6, reserve: 4, sentences: 9, layout, onSentence: () => {} });
    expect(text.place('Three words stand.', [a], { paragraph: 0 }, true)).toBe('tooLong');
    const [first, second] = ['One two three.', 'Four five six.'].map((each) =>
      placed(text.place(each, [a], { paragraph: 0 })),
    );
    expect(text.place('Seven.', [b], { paragraph: 0 })).toBe('tooLong');
    expect(text.reserve(0)).toEqual(new Set());
    expect(text.reserve(2)).toEqual(new Set([second]));
    expect(text.fill(first, 'One two three, four five.', [a], 'mended')).toBe('tooLong');
    expect(text.fill(first, 'One two three, four.', [a], 'mended')).toBeNull();
    expect(textsOf(text.finish(ownOf, NOTHING).sentences)).toEqual([['One two three, four.']]);
  });

  it('has room in the end for what was too long, where another place stays empty', () => {
    const { text } = forTenant([a, b], 7);
    const [first] = ['One two three.', 'Four five six.'].map((each) => placed(text.place(each, [], { paragraph: 0 })));
    expect(text.fill(first, 'One two three, four five.', [a], 'mended')).toBe('tooLong');
    const { sentences, late } = text.finish(ownOf, new Set([b]));
    expect(textsOf(sentences)).toEqual([['One two three, four five.']]);
    expect(late).toEqual(['mended']);
  });

  it('has the point that says most of the same in the place of what fails', () => {
    const [one, two] = [pointOf(1, 5), pointOf(2, 5)];
    const { text } = forTenant([one, two], 100);
    text.place(`Of course: ${two.own.text}`, [one, two], { paragraph: 0 });
    expect(textsOf(text.finish(ownOf, new Set([one])).sentences)[0]).toEqual([two.own.text]);
  });

  it('fills a place once, and says nothing twice', () => {
    const { text, toldTexts } = forTenant([a, b, c], 100);
    const first = placed(text.place('First, one.', [a], { paragraph: 0 }));
    expect(text.place('FIRST one', [a], { paragraph: 0 })).toBe('repeated');
    const second = placed(text.place('First one!', [b], { paragraph: 0 }));
    expect(text.fill(first, 'First, one.', [a], 'judged')).toBeNull();
    expect(text.fill(first, 'Another.', [a], 'judged')).toBe('repeated');
    expect(text.fill(second, 'First one!', [b], 'judged')).toBe('repeated');
    expect(text.place('first ONE', [c], { paragraph: 0 })).toBe('repeated');
    expect(toldTexts()).toEqual(['First, one.']);
  });

  it('tells apart words that differ in their marks', () => {
    const { text } = forTenant([a, b], 100);
    text.fill(placed(text.place('दिन की बात', [a], { paragraph: 0 })), 'दिन की बात', [a], 'judged');
    expect(typeof text.place('दीन कि बात', [b], { paragraph: 0 })).toBe('object');
  });

  it('keeps to its words: what comes later is too long, what is missing is left out', () => {
    const { text } = forTenant([a, b, c], 8);
    const slot = placed(text.place('a b c', [a], { paragraph: 0 }));
    expect(text.place('a b c d e f', [b], { paragraph: 0 })).toBe('tooLong');
    expect(text.fill(slot, 'a b c d e f g h i', [a], 'mended')).toBe('tooLong');
    expect(text.fill(slot, 'a b c', [a], 'judged')).toBeNull();
    expect(text.finish(ownOf, NOTHING)).toMatchObject({ added: 1, leftOut: [{ point: c, reason: 'words' }] });
  });

  it('keeps to its sentences: what was cited by one too many is left out, and each empty place has one', () => {
    const points = [1, 2, 3, 4, 5, 6].map((number) => pointOf(number, 5, number < 6));
    const [first, second, third, fourth, fifth, far] = points;
    const { text } = forTenant(points, 1000, 3);
    text.place('Failing.', [first, fourth], { paragraph: 0 });
    const slot = placed(text.place('Second.', [second], { paragraph: 0 }));
    text.place('Failing too.', [third], { paragraph: 0 });
    expect(text.place('One too many.', [fifth, far], { paragraph: 0 })).toBe('tooMany');
    text.fill(slot, 'Second.', [second], 'judged');
    expect(text.missing(NOTHING)).toEqual([]);
    const { sentences, leftOut } = text.finish(ownOf, new Set([fourth]));
    expect(textsOf(sentences)).toEqual([[first.own.text, 'Second.', third.own.text]]);
    expect(leftOut).toEqual([
      { point: fourth, reason: 'writer' },
      { point: fifth, reason: 'sentences' },
      { point: far, reason: 'sentences' },
    ]);
  });

  it('adds to a draft of fewer sentences what it owes, as long as there are sentences left', () => {
    const { text } = forTenant([a, b, c], 1000, 2);
    text.fill(placed(text.place('Second.', [b], { paragraph: 0 })), 'Second.', [b], 'judged');
    expect(text.missing(NOTHING)).toEqual([a]);
    expect(text.finish(ownOf, NOTHING)).toMatchObject({ added: 1, leftOut: [{ point: c, reason: 'sentences' }] });
  });

  it('adds no quote that stands within a sentence which cites it, and says so', () => {
    const within = (point: NumberedPoint, start: number, end: number): NumberedPoint => {
      const text = `${a.text.slice(start, end)}.`;
      const quote = { text: a.text.slice(start, end), start, end };
      return {
        ...point,
        text,
        quoteText: text,
        document: a.document,
        own: { ...point.own, text, citations: [{ document: a.document, quote }] },
      };
    };
    const [part, elsewhere] = [within(b, 7, 20), within(c, 200, 213)];
    const other = { ...elsewhere, own: { ...elsewhere.own, text: 'Else.' } };
    const { text } = forTenant([a, part, other], 100);
    const { sentences, leftOut } = text.finish(ownOf, NOTHING);
    expect(textsOf(sentences)).toEqual([[a.own.text, 'Else.']]);
    expect(leftOut).toEqual([{ point: part, reason: 'said' }]);
  });

  it('adds nothing that the writer left out, or that is not relevant enough', () => {
    const far = pointOf(4, 5, false);
    const { text } = forTenant([a, b, far], 100);
    const { sentences, leftOut } = text.finish(ownOf, new Set([b]));
    expect(textsOf(sentences)).toEqual([[a.own.text]]);
    expect(leftOut).toEqual([
      { point: b, reason: 'writer' },
      { point: far, reason: 'level' },
    ]);
  });

  it('tells the best point where the bound holds none', () => {
    const { sentences, leftOut } = forTenant([a, b], 1).text.finish(ownOf, NOTHING);
    expect(textsOf(sentences)).toEqual([[a.own.text]]);
    expect(leftOut).toEqual([{ point: b, reason: 'words' }]);
    expect(forTenant([a, b], 1).text.finish(ownOf, new Set([a, b])).sentences).toEqual([]);
  });
});

const step = fc.record({
  text: fc
    .integer({ min: 0, max: 30 })
    .map((words) => Array.from({ length: words }, (_, n) => `w${words}x${n}`).join(' ')),
  cites: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 }),
  paragraph: fc.nat(2),
  item: fc.option(fc.nat(3), { nil: undefined }),
  label: fc.constantFrom(undefined, 'Still open', 'What was decided'),
  /** When it is filled: at once, later, or never. */
  when: fc.constantFrom('now', 'later', 'never'),
});

describe('any draft', () => {
  it('keeps within words and sentences, names every point that it does not cite, and tells what it gives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean(), fc.boolean()), {
          minLength: 1,
          maxLength: 10,
          size: 'max',
        }),
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.integer({ min: 1, max: 150 }),
        fc.constantFrom(1, 3, Number.POSITIVE_INFINITY),
        (sizes, steps, bound, most) => {
          const points = sizes.map(([words, helps], index) => pointOf(index + 1, words, helps));
          const named = new Set(points.filter((_, index) => sizes[index][2]));
          const { text, told } = forTenant(points, bound, most);
          let paragraph = 0;
          let filled = 0;
          const later: (() => boolean)[] = [];
          for (const each of steps) {
            const unique = [...new Set(each.cites.map((at) => points[at % points.length]))];
            paragraph += each.paragraph === 2 ? 1 : 0;
            const slot = text.place(each.text, unique, {
              paragraph,
              item: each.item,
              label: each.item === undefined ? undefined : each.label,
            });
            if (typeof slot === 'string') continue;
            const fill = () => text.fill(slot, each.text, unique, 'judged') === null;
            if (each.when === 'now' && fill()) filled++;
            if (each.when === 'later') later.push(fill);
          }
          for (const fill of later) if (fill()) filled++;
          const { sentences, replaced, added, leftOut } = text.finish(ownOf, named);
          expect(told).toEqual(sentences);
          expect(sentences).toHaveLength(filled + replaced + added);
          expect(sentences.length).toBeLessThanOrEqual(most);
          const words = countWords(
            renderText(
              sentences.map((sentence) => ({ ...sentence, citations: [] })),
              [],
            ),
          );
          if (sentences.length > 1) expect(words).toBeLessThanOrEqual(bound);
          const cited = new Set(sentences.flatMap((sentence) => sentence.keyPoints));
          const left = new Set(leftOut.map(({ point }) => point));
          for (const point of points) expect(cited.has(`kp${point.number}`)).toBe(!left.has(point));
          const texts = sentences.map((sentence) => sentence.text);
          expect(new Set(texts).size).toBe(texts.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});
