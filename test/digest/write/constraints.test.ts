import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryOf } from '../../../src/digest/index.ts';
import { constraintsIn, constraintWarnings, keptOf, summaryOf } from '../../../src/digest/rank/constraints.ts';
import { readerOf } from '../../../src/digest/rank/query.ts';

const QUESTION = 'What did the council decide about the charge?';

describe('constraints', () => {
  test.each<[string, object]>([
    ['Reports should be terse.', {}],
    ['At most 100 words.', { maxWords: 100 }],
    ['The report should have no more than 80 words.', { maxWords: 80 }],
    ['Use 100 to 200 words.', { maxWords: 200 }],
    ['Please answer as a bulleted list.', { format: 'bullets' }],
    ['No more than five bullets.', { format: 'bullets' }],
    ['Use bullet points, and at most 60 words.', { format: 'bullets', maxWords: 60 }],
    ['No bullets please.', {}],
    ['Write more than 100 words.', {}],
    ['Keep it to three sentences.', {}],
    ['No fewer than 200 words.', {}],
    ['Use short sentences of at most 15 words.', {}],
    ['No documents from before 2024-01-01.', {}],
    ['Only use documents published after 2026-01-31.', { publishedAfter: '2026-01-31' }],
    ['Sources from 2026-01-01 to 2026-02-28 only.', { publishedAfter: '2026-01-01', publishedBefore: '2026-02-28' }],
    ['Only documents published before 2026-99-99.', {}],
  ])('%s is one, and what of it can be kept is kept', (constraint, kept) => {
    for (const text of [`${QUESTION} ${constraint}`, `${constraint} ${QUESTION}`]) {
      expect(constraintsIn(text)).toEqual({ asked: QUESTION, constraints: [constraint] });
    }
    expect(keptOf([constraint])).toEqual(kept);
  });

  test('a number of words that is not the length of the text is none', () => {
    expect(keptOf(['At most 1,500 words.', 'Each sentence under 20 words.', '200 words or more.'])).toEqual({});
    expect(constraintsIn('Summarise each release in 30 words.').constraints).toEqual([]);
  });

  test.each<[string, string, object]>([
    ['What did the council decide, in at most 100 words?', 'in at most 100 words', { maxWords: 100 }],
    ['What did the council decide as a list?', 'as a list', { format: 'bullets' }],
  ])('%s ends in one', (text, constraints, kept) => {
    expect(constraintsIn(text)).toEqual({ asked: 'What did the council decide?', constraints: [constraints] });
    expect(keptOf([constraints])).toEqual(kept);
  });

  test.each([
    'The report should cover the effects on sales.',
    'I want to know what the report says of words.',
    'Is the list short?',
    'Who uses plain language in the council?',
    'The charge should be short.',
    'Berichte sollen kurz sein.',
  ])('%s is none', (other) => {
    const text = `${QUESTION} ${other}`;
    expect(constraintsIn(text)).toEqual({ asked: text, constraints: [] });
  });

  test('what is nothing else is what is asked', () => {
    expect(constraintsIn('At most 100 words. Be terse.')).toEqual({
      asked: 'At most 100 words. Be terse.',
      constraints: [],
    });
    expect(constraintsIn('')).toEqual({ asked: '', constraints: [] });
  });

  test('of any text the words stay, each in one of the two', () => {
    const words = (text: string) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).sort();
    const piece = fc.oneof(
      fc.constantFrom('Be terse.', 'In 90 words.', QUESTION, 'Sales fell, in 40 words.', 'As a list!', 'Why?\n'),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.join(' ');
        const { asked, constraints } = constraintsIn(text);
        expect(words([asked, ...constraints].join(' '))).toEqual(words(text));
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  test('options of the request win over words, those of the problem over those of the story', () => {
    const intent = { problem: `${QUESTION} As a list.`, userStory: 'I am a reporter. At most 90 words.' };
    expect(summaryOf({ intent })).toEqual({ format: 'bullets', maxWords: 90 });
    expect(summaryOf({ intent, summary: { format: 'report', maxWords: null } })).toEqual({
      format: 'report',
      maxWords: null,
    });
    expect(summaryOf({ intent: { ...intent, problem: `${QUESTION} At most 50 words.` } }).maxWords).toBe(50);
    expect(summaryOf({})).toEqual({});
  });

  test.each(['userStory', 'background'] as const)('is kept where it is all of the %s', (field) => {
    const constraints = 'As a bulleted list. Only documents published after 2026-01-31. At most 90 words. Be formal.';
    const intent = { problem: QUESTION, [field]: constraints };
    expect(summaryOf({ intent })).toEqual({ format: 'bullets', maxWords: 90 });
    const query = queryOf({ intent }, true);
    expect(query).toMatchObject({ text: QUESTION, publishedAfter: '2026-01-31', background: null });
    expect(readerOf({ intent }, query).userStory?.replace(/\s/g, ' ')).toBe(constraints);
    expect(constraintWarnings(intent)).toEqual([expect.stringContaining('Be formal.')]);
  });

  test('none is a facet, and the writer is told all of them', () => {
    const request = {
      intent: { problem: `${QUESTION} Reports should be terse.`, userStory: 'I am a Hollywood reporter.' },
    };
    const query = queryOf(request, true);
    expect(query.text).toBe(QUESTION);
    expect(query.facets.map(({ text }) => text)).toEqual([QUESTION]);
    expect(readerOf(request, query)).toMatchObject({
      question: QUESTION,
      userStory: 'I am a Hollywood reporter.\nReports should be terse.',
    });
    const known = { intent: { problem: QUESTION, background: 'The charge was proposed in May. At most 90 words.' } };
    expect(queryOf(known, true).background).toBe('The charge was proposed in May.');
    expect(readerOf(known, queryOf(known, true))).toMatchObject({
      userStory: 'At most 90 words.',
      background: 'The charge was proposed in May.',
    });
    const dated = { intent: `${QUESTION} Only documents published after 2026-01-31.` };
    expect(queryOf(dated, true)).toMatchObject({ text: QUESTION, publishedAfter: '2026-01-31' });
  });
});
