import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readingWindows } from '../../../src/models/encoders/sentence-reader.ts';
import { READER_ID, shippedReader } from '../../../src/models/index.node.ts';
import type { Passage, SentenceReader } from '../../../src/models/index.ts';

describe('windows', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 80 });
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

  test('cover every sentence in order, each no longer than there is room or a single sentence', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 150 }), (all, room) => {
        const windows = readingWindows(all, room);
        const covered = new Set(windows.flatMap(({ from, to }) => [...all.keys()].slice(from, to)));
        expect(covered.size).toBe(all.length);
        expect(windows.length).toBeLessThanOrEqual(all.length);
        windows.forEach(({ from, to }, w) => {
          expect(to).toBeGreaterThan(from);
          if (to - from > 1) expect(sum(all.slice(from, to))).toBeLessThanOrEqual(room);
          // As full as can be.
          if (to < all.length) expect(sum(all.slice(from, to + 1))).toBeGreaterThan(room);
          if (w === 0) return;
          expect(from).toBeGreaterThan(windows[w - 1].from);
          expect(from).toBeLessThanOrEqual(windows[w - 1].to);
          expect(to).toBeGreaterThan(windows[w - 1].to - 1);
        });
      }),
    );
  });
});

describe('the reader that ships', () => {
  const passage = (title: string | null, ...texts: readonly string[]): Passage => ({
    title,
    opening: '',
    lines: texts.map((text) =>
      text.startsWith('# ') ? { text: text.slice(2), isHeading: true } : { text, isHeading: false },
    ),
  });

  const LIBRARY = passage(
    'The library of Aldermoor',
    'The library stands beside the mill on the river.',
    'It opens at nine in the morning and closes at six.',
    'A yearly card costs twelve euros, and children pay nothing.',
    'The roof was mended after the storm of last autumn.',
    'Books may be kept for four weeks.',
  );
  const FERRY = passage(
    'Ferry to the islands',
    'The ferry leaves the northern pier every two hours.',
    'In winter the crossing takes forty minutes because of the ice.',
    'Dogs travel for free if they are kept on a lead.',
    'The captain has sailed this route since she was twenty.',
  );
  const LONG = passage(
    null,
    ...Array.from({ length: 30 }, (_, i) => `In district ${i} the gardens were planted with ${i + 3} old apple trees.`),
    'The fountain on the market square was paid for by the widow of a baker.',
    ...Array.from(
      { length: 30 },
      (_, i) => `In district ${i + 30} the paths were covered with ${i + 5} loads of gravel.`,
    ),
  );

  let reader: SentenceReader;
  beforeAll(async () => {
    reader = await shippedReader();
  });

  const first = (scores: Float64Array) => scores.indexOf(Math.max(...scores));

  test('the beginning of a document tells which matter its sentences are about', async () => {
    const about = (opening: string) => ({ ...passage(null, 'The seal was worn out and has been replaced.'), opening });
    const reports = ['Report on pump 4, north hall.', 'Report on pump 9, south hall.'].map(about);
    const [[fourth], [ninth]] = await reader.read('What was wrong with pump 4?', reports);
    expect(fourth).toBeGreaterThan(ninth);
  });

  test.each([
    ['How much is a card for the library?', LIBRARY, 2],
    ['When does the library open?', LIBRARY, 1],
    ['How long may I keep a book?', LIBRARY, 4],
    ['How often does the ferry leave?', FERRY, 0],
    ['How long is the crossing in winter?', FERRY, 1],
    ['Do I have to pay for my dog?', FERRY, 2],
    ['Who paid for the fountain?', LONG, 30],
  ])('%s', async (question, given, answer) => {
    const [scores] = await reader.read(question, [given]);
    expect(scores).toHaveLength(given.lines.length);
    expect(first(scores)).toBe(answer);
    expect(scores.every(Number.isFinite)).toBe(true);
  });

  test('P6: what a passage scores does not depend on the others, nor on when it is asked', async () => {
    const question = 'How much is a card for the library?';
    const [alone] = await reader.read(question, [LIBRARY]);
    const [long, ferry, library] = await reader.read(question, [LONG, FERRY, LIBRARY]);
    expect(library).toEqual(alone);
    const [other, turned] = await Promise.all([reader.read(question, [FERRY]), reader.read(question, [LIBRARY, LONG])]);
    expect(other).toEqual([ferry]);
    expect(turned).toEqual([alone, long]);
    expect(await reader.read(question, [])).toEqual([]);
  });

  test('headings are read for what they say of the sentences under them, and not scored', async () => {
    const under = (heading: string) => passage(null, `# ${heading}`, 'It costs four euros.', '# Weather', 'It rained.');
    const question = 'What is the price of a ticket for the museum?';
    const [[ticket, rain], [boots]] = await reader.read(question, [under('Museum tickets'), under('Boots for hikers')]);
    const [scores] = await reader.read(question, [under('Museum tickets')]);
    expect(scores).toHaveLength(2);
    expect(ticket).toBeGreaterThan(rain);
    expect(ticket).toBeGreaterThan(boots);
  });

  test('has a name; sentences and questions that are too long, empty or strange are read all the same', async () => {
    expect(reader.id).toBe(READER_ID);
    const strange = passage('', 'word '.repeat(500), '', '市议会 👩‍🔧', '# ', 'It costs four euros.');
    for (const question of ['what '.repeat(300), '', '市议会?']) {
      const [scores] = await reader.read(question, [strange]);
      expect(scores).toHaveLength(4);
      expect(scores.every(Number.isFinite)).toBe(true);
    }
  });
});
