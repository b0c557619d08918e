import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitBullets, splitSentences } from '../../../src/evaluation/marked-text.ts';
import { InvalidEvaluationError } from '../../../src/evaluation/metric.ts';

const DOCUMENTS = ['council', 'press', 'shops'];
const split = (text: string, more: object = {}) => splitSentences(text, { documents: DOCUMENTS, ...more }, '/report');

describe('sentences of a text', () => {
  test('come each with what they cite, after their stop or before it; one without markers cites nothing', () => {
    const text = 'Traffic fell [1][3]. Sales fell too. [2] Nobody counted bicycles. Trams ran, as ever [1-2].';
    expect(split(text)).toEqual([
      { text: 'Traffic fell.', documents: ['council', 'shops'] },
      { text: 'Sales fell too.', documents: ['press'] },
      { text: 'Nobody counted bicycles.', documents: [] },
      { text: 'Trams ran, as ever.', documents: ['council', 'press'] },
    ]);
  });

  test("a marker in the middle of a sentence is that one's, whatever follows; round brackets around markers go", () => {
    expect(split('Cars [1] and, as feared [2], shops left. Nobody knows why ([3]). All was well.')).toEqual([
      { text: 'Cars and, as feared, shops left.', documents: ['council', 'press'] },
      { text: 'Nobody knows why.', documents: ['shops'] },
      { text: 'All was well.', documents: [] },
    ]);
    expect(split('Cars left [2] for good. Nobody knows why. Trams ran [3].').map(({ documents }) => documents)).toEqual(
      [['press'], [], ['shops']],
    );
  });

  test('headings of any level stand in no sentence; other lines that name what follows do', () => {
    const text =
      'Trams ran [1].\n## What fell in May\nTraffic fell [1].\n\n### By shops\r\n\r\n- Sales fell [2]\r\n- Rents fell [3]\n\n**Later**\n\nFares rose [1].\n\nStill open:\n- The tunnel [2]\n- The bridge [3]\n#1 is no heading [1].';
    expect(split(text).map((each) => each.text)).toEqual([
      'Trams ran.',
      'Traffic fell.',
      'Sales fell.',
      'Rents fell.',
      'Later: Fares rose.',
      'Still open: The tunnel.',
      'The bridge.',
      '#1 is no heading.',
    ]);
    expect(splitBullets(text, { documents: DOCUMENTS }, '/bullets').map((each) => each.text)).not.toContainEqual(
      expect.stringMatching(/What fell|By shops/),
    );
  });

  test('markers that are links are markers', () => {
    const text =
      'Traffic fell [[1]](https://example.org/a_(b)?c=[1]). Sales fell. [[2]](https://example.org "Press") [[3]](#n3) Rents rose [[1, 3]]. Fares rose [2](/notes), it seems. Trams ran [1](see below).';
    expect(split(text)).toEqual([
      { text: 'Traffic fell.', documents: ['council'] },
      { text: 'Sales fell.', documents: ['press', 'shops'] },
      { text: 'Rents rose.', documents: ['council', 'shops'] },
      { text: 'Fares rose, it seems.', documents: ['press'] },
      { text: 'Trams ran (see below).', documents: ['council'] },
    ]);
    const refused = () => split('Traffic fell [[4]](https://example.org).');
    expect(refused).toThrow('[4] (at character 13) stands for none');
  });

  test('markers that are links are read in steps in proportion to their number', () => {
    const text = '[[1]](https://a.org/(b'.repeat(3000);
    expect(() => split(text)).toThrow('more than 4000 characters');
  });

  test('markers name ids, or numbers with a word before them; other brackets are text', () => {
    expect(split('Traffic fell [press, 1]. Sales fell [Source 2][^3]. It was "to [sic] much" [council].')).toEqual([
      { text: 'Traffic fell.', documents: ['press', 'council'] },
      { text: 'Sales fell.', documents: ['press', 'shops'] },
      { text: 'It was "to [sic] much".', documents: ['council'] },
    ]);
  });

  test('numbers are places among the sources where there are some', () => {
    expect(split('Traffic fell [1, 2].', { sources: ['shops', 'press'] })[0]?.documents).toEqual(['shops', 'press']);
    const numbered = { documents: ['1', '2', '3'], sources: ['3', '1'] };
    expect(splitSentences('Traffic fell [1].', numbered, '/report')[0]?.documents).toEqual(['3']);
  });

  test('numbers are ids where ids are numbers, or nobody says which documents there are', () => {
    expect(splitSentences('Traffic fell [7].', { documents: ['9', '7'] }, '/report')[0]?.documents).toEqual(['7']);
    expect(splitSentences('Traffic fell [7-8].', {}, '/report')[0]?.documents).toEqual(['7', '8']);
  });

  test('markers say of any text that is made of cited sentences what each cites', () => {
    const cites = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1 });
    const word = fc.constantFrom('Trams', 'Shops', 'Cars', 'Fares');
    const style = fc.constantFrom('[1, 2].', '[1][2].', '. [1, 2]', 'inside');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, cites, style)), (wanted) => {
        const text = wanted.map(([name, numbers, form], place) => {
          const marker = form.includes('][') ? `[${numbers.join('][')}]` : `[${numbers.join(', ')}]`;
          const said = `${name} ran for ${place} days`;
          if (form === 'inside') return `${name} ran ${marker} for ${place} days.`;
          return form.startsWith('.') ? `${said}. ${marker}` : `${said} ${marker}.`;
        });
        expect(split(text.join(' '))).toEqual(
          wanted.map(([name, numbers], place) => ({
            text: `${name} ran for ${place} days.`,
            documents: numbers.map((number) => DOCUMENTS[number - 1]),
          })),
        );
      }),
    );
  });
});

describe('bullets of a text', () => {
  const bullets = (text: string) => splitBullets(text, { documents: DOCUMENTS }, '/bullets');

  test('are the items of a list, whole, with the lines that go on', () => {
    const text =
      'What changed:\n- Traffic fell [1]. Nobody\n  knows why [2, 1].\n2) Sales fell [3]\n\nTrams ran [2]. All was well.';
    expect(bullets(text)).toEqual([
      { text: 'What changed.', documents: [] },
      { text: 'Traffic fell. Nobody knows why.', documents: ['council', 'press'] },
      { text: 'Sales fell.', documents: ['shops'] },
      { text: 'Trams ran.', documents: ['press'] },
      { text: 'All was well.', documents: [] },
    ]);
  });
});

describe('a text that cannot be read', () => {
  test.each<[string, string, object?]>([
    ['Traffic fell [1]. Sales fell [4].', '[4] (at character 29) stands for none of the 3 documents'],
    ['Traffic fell [0].', '[0] (at character 13)'],
    ['Traffic fell [2-5].', '[4] (at character 13)'],
    ['Traffic fell [press, radio].', '[radio] (at character 13)'],
    ['Traffic fell [^9].', '[9] (at character 13)'],
    ['Traffic fell [3].', 'none of the 2 documents', { sources: ['shops', 'press'] }],
  ])('is refused: %s', (text, detail, more = {}) => {
    const refused = () => split(text, more);
    expect(refused).toThrow(InvalidEvaluationError);
    expect(refused).toThrow(detail);
    expect(refused).toThrow(expect.objectContaining({ pointer: '/report' }));
  });

  test('is refused where it holds more than can be judged', () => {
    const documents = Array.from({ length: 1000 }, (_, place) => `d${place}`);
    expect(() => splitSentences('It is so. '.repeat(1001), { documents }, '/report')).toThrow('more than 1000');
    expect(() => splitBullets(`- ${'It is so. '.repeat(1001)}`, { documents }, '/bullets')).toThrow('more than 1000');
    expect(() => splitSentences(`${'a'.repeat(4000)} [d1].`, { documents }, '/report')).toThrow('more than 4000 char');
    expect(() => splitSentences('It is so [1-1000]. '.repeat(10), { documents }, '/report')).toThrow('more than 9999');
  });
});
