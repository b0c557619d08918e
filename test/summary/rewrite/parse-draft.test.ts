import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDraft } from '../../../src/summary/index.ts';
import { standingSentences } from '../../../src/summary/rewrite/parse-draft.ts';

/** Sentences with their numbers: "Traffic fell. 1,2 | Rents rose." */
const read = (draft: string) =>
  parseDraft(draft)
    .map(({ text, numbers }) => `${text} ${numbers.join()}`.trim())
    .join(' | ');

describe('markers', () => {
  it.each([
    ['[1]', [1]],
    ['[1][2]', [1, 2]],
    ['[1] [2]', [1, 2]],
    ['[1], [2]', [1, 2]],
    ['[1, 2]', [1, 2]],
    ['[1; 2]', [1, 2]],
    ['[1 and 3]', [1, 3]],
    ['[1-3]', [1, 2, 3]],
    ['[1–3, 7]', [1, 2, 3, 7]],
    ['[3-1]', [3]],
    ['[1-9999]', [1]],
    ['【1】', [1]],
    ['［2］', [2]],
    ['[KP 2]', [2]],
    ['[KP2, KP3]', [2, 3]],
    ['[key point 4]', [4]],
    ['[Points 4, 5]', [4, 5]],
    ['[Source 2]', [2]],
    ['[#2]', [2]],
    ['[^2]', [2]],
    ['[No. 2]', [2]],
    ['[2][2][1]', [2, 1]],
    ['[0]', [0]],
    ['[9999]', [9999]],
  ] as const)('%s', (marker, numbers) => {
    const both = `Traffic fell. ${numbers} | Rents rose. 8`;
    expect(read(`Traffic fell. ${marker}`)).toBe(`Traffic fell. ${numbers}`);
    expect(read(`Traffic fell ${marker}.`)).toBe(`Traffic fell. ${numbers}`);
    expect(read(`Traffic fell.${marker} Rents rose. [8]`)).toBe(both);
    expect(read(`Traffic fell ${marker}. Rents rose [8].`)).toBe(both);
  });

  it.each([
    ['in the middle', 'Traffic [1] fell in town. [2]', 'Traffic fell in town. 1,2'],
    [
      'in the middle, before other sentences',
      'Traffic [1] fell in town. Nobody knows why. Rents rose. [2]',
      'Traffic fell in town. 1 | Nobody knows why. | Rents rose. 2',
    ],
    ['in round brackets', 'Traffic fell ([1], [2]) in town.', 'Traffic fell in town. 1,2'],
    ['on both sides of a stop', 'Traffic fell [1]. [2] Rents rose. [3]', 'Traffic fell. 1 | Rents rose. 2,3'],
    ['before the sentence', '[1] Traffic fell. [2] Rents rose.', 'Traffic fell. 1 | Rents rose. 2'],
    ['before and after', '[1] Traffic fell. [1]', 'Traffic fell. 1'],
    ['after a quotation', 'Ana said “traffic fell.” [1] Rents rose. [2]', 'Ana said “traffic fell.” 1 | Rents rose. 2'],
    [
      'inside a quotation',
      'Ana said "traffic fell [1]." Rents rose. [2]',
      'Ana said "traffic fell." 1 | Rents rose. 2',
    ],
    ['before other stops', 'Did it fall [1]? It fell [2]!', 'Did it fall? 1 | It fell! 2'],
    ['for one of two sentences', 'Traffic fell. Rents rose. [2]', 'Traffic fell. | Rents rose. 2'],
    ['at the ends of lines without stops', 'Traffic fell [1]\nRents rose [2]', 'Traffic fell. 1 | Rents rose. 2'],
    ['before a comma', 'Traffic fell [1], and rents rose [2].', 'Traffic fell, and rents rose. 1,2'],
    ['alone', '[1] [2]\n\n[3].', ''],
    ['that are numbers of more digits', 'Traffic fell [12345].', 'Traffic fell (12345).'],
    ['that are none', 'Traffic [sic] fell [see below].', 'Traffic [sic] fell [see below].'],
  ])('%s', (_, draft, expected) => {
    expect(read(draft)).toBe(expected);
  });
});

describe('sentences', () => {
  it.each([
    [
      'abbreviations',
      'Dr. Weber et al. met at 5 p.m. on Friday [1]. It cost $1.5 million, e.g. for fuel. [2]',
      'Dr. Weber et al. met at 5 p.m. on Friday. 1 | It cost $1.5 million, e.g. for fuel. 2',
    ],
    ['CJK', '交通量が減った[1]。家賃が上がった【2】。', '交通量が減った。 1 | 家賃が上がった。 2'],
    ['Arabic', 'انخفضت حركة المرور. [1] ارتفعت الإيجارات؟ [2]', 'انخفضت حركة المرور. 1 | ارتفعت الإيجارات؟ 2'],
    [
      'lists',
      '- Traffic fell [1]\n* Rents rose. [2]\n2) Trams run [4].',
      'Traffic fell. 1 | Rents rose. 2 | Trams run. 4',
    ],
    [
      'an item on two lines',
      '- Traffic fell\n  in town. [1]\n- Rents rose. [2]',
      'Traffic fell in town. 1 | Rents rose. 2',
    ],
    [
      'wrapped lines',
      'Traffic in the old town\nfell by a third. [1] Rents\nrose. [2]',
      'Traffic in the old town fell by a third. 1 | Rents rose. 2',
    ],
    [
      'headings and rules',
      '# Summary [1]\n\n---\n## Traffic\nTraffic fell. [1]\n***\n```\nRents rose. [2]\n```',
      'Traffic: Traffic fell. 1 | Rents rose. 2',
    ],
    [
      'a heading that names what follows',
      'Cities (2024)\n\nTraffic fell. [1] Buses run. [2]\n\n**Villages:**\n- Rents rose. [3]\n\n### Coast ###\nTrams run. [4]\nThe end',
      'Cities (2024): Traffic fell. 1 | Buses run. 2 | Rents rose. 3 | Coast: Trams run. 4 | The end.',
    ],
    [
      'a line that announces an answer',
      'Here is your digest:\n\nTraffic fell. [1]',
      'Here is your digest. | Traffic fell. 1',
    ],
    [
      'emphasis',
      '**Traffic** __fell__ by *a third*. [1] **Rents rose. [2]**',
      'Traffic fell by *a third*. 1 | Rents rose. 2',
    ],
    ['odd line ends', 'Traffic fell. [1]\r\n\r\nRents\rrose. [2]', 'Traffic fell. 1 | Rents rose. 2'],
    [
      'a label that a transcript has',
      'Lee: Traffic fell. [1]\nKim: Rents rose. [2]\nLee: No. [3]',
      'Lee: Traffic fell. 1 | Kim: Rents rose. 2 | Lee: No. 3',
    ],
    ['nothing', ' \n\n # \n- \n*** \u0000 …', ''],
  ])('%s', (_, draft, expected) => {
    expect(read(draft)).toBe(expected);
  });

  it('has one line of plain text in each, without what a reader does not see', () => {
    const [{ text }] = parseDraft('Traffic\u200b fell\u0007\u{e0041}\u202e in\ud800 town. [1]');
    expect(text).toBe('Traffic fell in town.');
  });
});

/** Texts with what they stand under and in: "label > paragraph.item text", items told apart in their order. */
function laid(draft: string): string[] {
  const items = new Map<number, number>();
  return parseDraft(draft).map(({ text, numbers, paragraph, item, label }) => {
    if (item !== undefined && !items.has(item)) items.set(item, items.size);
    const place = item === undefined ? `${paragraph}` : `${paragraph}.${items.get(item)}`;
    return `${label === undefined ? '' : `${label} > `}${place} ${text} ${numbers.join(',')}`.trim();
  });
}

describe('lists', () => {
  it.each([
    [
      'in running text',
      'Much is open. [1]\n- The date. [2]\n- The price. [3]\n\nTrams run. [4]',
      ['0 Much is open. 1', '0.0 The date. 2', '0.1 The price. 3', '1 Trams run. 4'],
    ],
    [
      'with several sentences to an item, on one line or on more',
      '- Traffic fell. Rents rose. [1]\n- Buses run. [2]\n  Nobody knows why. [3]\n\n  It was late. [4]\n- Trams run. [5]',
      [
        '0.0 Traffic fell. 1',
        '0.0 Rents rose. 1',
        '0.1 Buses run. 2',
        '0.1 Nobody knows why. 3',
        '0.1 It was late. 4',
        '0.2 Trams run. 5',
      ],
    ],
    [
      'with markers before their sentences',
      '- [1] Traffic fell.\n- [2] Rents rose. [3] Buses run.',
      ['0.0 Traffic fell. 1', '0.1 Rents rose. 2', '0.1 Buses run. 3'],
    ],
    [
      'with blank lines between their items',
      '1. Traffic fell. [1]\n\n2. Rents rose. [2]\n\nBuses run. [3]',
      ['0.0 Traffic fell. 1', '0.1 Rents rose. 2', '1 Buses run. 3'],
    ],
    [
      'within lists',
      '- Traffic fell. [1]\n  - In May. [2]\n  - In June. [3]\n- Rents rose. [4]',
      ['0.0 Traffic fell. 1', '0.1 In May. 2', '0.2 In June. 3', '0.3 Rents rose. 4'],
    ],
    [
      'that a line leads over to',
      'Traffic fell. [1]\n\nStill open:\n- The date. [2]\n- The price. [3]',
      ['0 Traffic fell. 1', 'Still open > 1.0 The date. 2', 'Still open > 1.1 The price. 3'],
    ],
    [
      'that a line in bold leads over to, a blank line before them',
      '**Still open:**\n\n- The date. [2]\n\n- The price. [3]\n\n**Decided**:\n\n* No fee. [4]\n\nTrams run. [5]',
      ['Still open > 1.0 The date. 2', 'Still open > 1.1 The price. 3', 'Decided > 3.2 No fee. 4', '4 Trams run. 5'],
    ],
    [
      'under a heading, or a line without a colon',
      '## Haiti, January 2010\n- It shook. [1]\n- It rained. [2]\n\nJapan, 2011\n- It shook too. [3]',
      [
        'Haiti, January 2010 > 0.0 It shook. 1',
        'Haiti, January 2010 > 0.1 It rained. 2',
        'Japan, 2011 > 1.2 It shook too. 3',
      ],
    ],
    [
      'in other writing',
      '未決事項：\n- 日付はまだない。[1]\n- 価格は未定だ。[2]',
      ['未決事項 > 0.0 日付はまだない。 1', '未決事項 > 0.1 価格は未定だ。 2'],
    ],
    [
      'after running text that goes on with them, not below them',
      'Still open:\n- The date. [1]\nTrams run. [2]',
      ['Still open > 0.0 The date. 1', '0 Trams run. 2'],
    ],
  ] as const)('%s', (_, draft, expected) => {
    expect(laid(draft)).toEqual(expected);
  });

  it.each([
    ['states more than a name', 'Traffic fell in May. Still open:\n- The date. [2]', 'Traffic fell in May.'],
    ['cites', 'Two are open [1]:\n- The date. [2]', 'Two are open. 1'],
    ['is long', `${'The council left it all open, and '.repeat(3)}that is:\n- The date. [2]`, 'that is. '],
    ['announces the answer', 'Here are the open items:\n- The date. [2]', 'Here are the open items.'],
    ['stands before no list', 'Still open:\n\nThe date. [2]', 'Still open.'],
    ['ends the draft', 'The date. [2]\nStill open:', 'Still open.'],
  ])('a lead-in that %s is a sentence', (_, draft, sentence) => {
    const found = parseDraft(draft);
    expect(found.every(({ label }) => label === undefined)).toBe(true);
    expect(found.some(({ text, numbers }) => `${text} ${numbers.join()}`.includes(sentence))).toBe(true);
  });

  it('a lead-in that cites after its colon, as in a text of the service, is a label', () => {
    expect(parseDraft('Still open: [1][2]\n- The date. [2]')).toEqual([
      { text: 'The date.', numbers: [2], paragraph: 0, item: 1, label: 'Still open' },
    ]);
  });

  it('a number or a name before running text stands before its sentence, as before', () => {
    expect(laid('1. Haiti, January 2010\nIt shook. [1]\n\nJapan, 2011\n\nIt rained. [2]')).toEqual([
      '0 Haiti, January 2010: It shook. 1',
      '2 Japan, 2011: It rained. 2',
    ]);
  });

  it.each(['[5b]', '[①]', '〔1〕', '[ 1/2 ]', '`', '``', '~~', ' | ', '\u2800', '\ufffc', '\uffff'])(
    '%j stays in no sentence or label',
    (mark) => {
      for (const { text, label } of parseDraft(
        `**Trams ${mark}ran${mark} far**\n- They ${mark}fell${mark} twice. [1]`,
      )) {
        expect(text + label).not.toContain(mark.trim());
        expect(text + label).not.toMatch(/\s\s/);
      }
    },
  );

  it('labels are one line of plain text', () => {
    const [{ label }] = parseDraft('**Still** \u202eopen\u0007\u{e0041}:\n- The date. [1]');
    expect(label).toBe('Still open');
    expect(parseDraft('\u200b…:\n- The date. [1]')[0].label).toBeUndefined();
  });
});

const weighted = (weight: number, ...pieces: string[]) => ({ weight, arbitrary: fc.constantFrom(...pieces) });
const piece = fc.oneof(
  weighted(6, 'Traffic fell', 'rents rose', 'Dr. Weber', 'the U.S.', 'Lee: no', '交通量', 'a'),
  weighted(6, '. ', '.', '! ', '。', '?" ', ', ', ' ', '…', '."', '” '),
  weighted(6, '[1]', '[2]', '[1][2]', ' [3].', '[1-3] ', '【1】', '[KP 2]', '[^1]', '[99]'),
  weighted(3, '\n', '\n\n', '\n- ', '\n1. ', '\n# ', '\n## ', '\n---\n', '\r\n', '\n  ', '\n```\n', '\n  - ', '\n\n  '),
  weighted(
    2,
    '\n**Cities**\n',
    '\nStill open:\n- ',
    '\n\nStill open:\n\n',
    '\nStill open: [1][2]\n- ',
    '\n- Cars:\n  - ',
  ),
  weighted(2, '**', '__', '*', '[', ']', '(', ')', '“', '"', '|', '> ', ': '),
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const draft = fc.array(piece, { maxLength: 40, size: 'max' }).map((pieces) => pieces.join(''));

describe('any draft', () => {
  it('gives sentences of one line with letters, that end, and numbers told once', () => {
    fc.assert(
      fc.property(draft, (text) => {
        let paragraph = 0;
        for (const sentence of parseDraft(text)) {
          expect(sentence.text).toMatch(/[\p{L}\p{N}]/u);
          expect(sentence.text).not.toMatch(/\p{Cc}|\p{Cs}|\[\s*\p{Nd}+\s*\]/u);
          expect(sentence.text).toBe(sentence.text.trim());
          expect(new Set(sentence.numbers).size).toBe(sentence.numbers.length);
          expect(sentence.numbers.every(Number.isSafeInteger)).toBe(true);
          expect(sentence.paragraph).toBeGreaterThanOrEqual(paragraph);
          paragraph = sentence.paragraph;
          if (sentence.label === undefined) continue;
          expect(sentence.item).toBeDefined();
          expect(sentence.label).toMatch(/[\p{L}\p{N}]/u);
          expect(sentence.label).not.toMatch(/\p{Cc}|\p{Cs}|\[\s*\p{Nd}+\s*\]/u);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('that goes on keeps the sentences that stood, wherever it is cut', () => {
    let stood = 0;
    fc.assert(
      fc.property(draft, (text) => {
        const whole = parseDraft(text);
        for (let end = 0; end <= text.length; end++) {
          const standing = standingSentences(text.slice(0, end));
          stood += standing.length;
          expect(whole.slice(0, standing.length), JSON.stringify(text.slice(0, end))).toEqual(standing);
        }
      }),
      { numRuns: 100 },
    );
    expect(stood).toBeGreaterThan(1000);
  });

  it('stands but for its last stretch where every sentence is cited', () => {
    const sentences = Array.from({ length: 20 }, (_, n) => `Point number ${n} is made here. [${n + 1}]`);
    const text = sentences.join(' ');
    expect(standingSentences(text)).toEqual(parseDraft(text).slice(0, -1));
    expect(standingSentences(text)).toHaveLength(19);
  });

  it.each([
    ...[
      'Traffic fell by a third in the old town. [1] ',
      'word ',
      'a',
      '[1]',
      '[',
      '[1, ',
      '[1 1 1 ',
      '**a ',
      '. ',
      ' ',
    ],
    ...['a\n', '- a [1]\n', '- ', '- Open:\n', 'Open:\n- a [1]\n', '  - a:\n - b\n', '7', '"', '[1-'],
  ])(
    'reads 200 KB of %j in steps in proportion to its length',
    (unit) => {
      // No clock: a quadratic reading of this size does not end within the limit of the test.
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      expect(standingSentences(text).length).toBeLessThanOrEqual(parseDraft(text).length);
    },
    20_000,
  );
});
