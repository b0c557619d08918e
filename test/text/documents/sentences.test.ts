import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLoneSurrogate, sentences } from '../../../src/text/index.ts';

const split = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end));

/** Each row is one paragraph; its sentences, joined by one space, are the text. */
const PARAGRAPHS: readonly (readonly [string, readonly string[]])[] = [
  ['titles', ['Dr. Smith met Mrs. Jones.', 'Gov. Lee and Rep. Diaz spoke.', 'St. Mary is near.']],
  ['acronyms', ['The U.S. economy grew.', 'He lives in the U.S.', 'The end.']],
  ['acronym before a name', ['The U.S. Senate voted.', 'It passed.']],
  ['Latin', ['Bring tools, e.g. Hammers, i.e. the heavy ones.', 'See Smith et al. 2020 vs. Lee.']],
  ['numbers', ['See No. 5 and Fig. 3 on pp. 12-14.', 'It is 3.5 percent.', 'No.', 'It is not.']],
  ['companies', ['Acme Inc. grew.', 'He left Acme Inc.', 'The firm fell.']],
  ['months', ['It began on Jan. 5 and ended in Sept. 2020.', 'Nobody came.']],
  ['hours', ['We met at 5 p.m. on Friday.', 'We left at 6 a.m.', 'It rained.']],
  ['initials', ['J. K. Rowling wrote it.', 'John F. Kennedy read it.', 'So do I.', 'We agree.']],
  ['doctorates', ['She has a Ph.D. in physics.', 'He has none.']],
  ['lower case after a stop', ['It is important to this country.', 'kids learning a trade will win.', 'they work.']],
  ['lower case after other marks', ['what now?', 'we go!', 'they stay.']],
  ['a name with a mark', ['I like Yahoo! but not Bing.']],
  ['ellipsis inside', ['Well... maybe not.', 'Well…', 'Perhaps.']],
  ['quotation inside', ['He said "Stop!" and left.', 'She asked “Why?” twice.', '"Stop!" he said.']],
  ['quotation with a speaker after it', ['"It is over." John said.', '"Go," she said.']],
  ['quotation of two sentences', ['He said "We won. It was great." and left.']],
  ['quotation at the end', ['He said "Stop."', 'She left.', '“I know.”', 'They went.']],
  ['parenthesis', ['He left (see p. 5. It matters.) early.', '(She stayed. He left.)', 'Both won.']],
  ['footnotes', ['Rates fell.[3]', 'Prices rose.[4][5]', 'Nobody knew.']],
  ['marks in a row', ['Really?!', 'Yes!!!', 'No way?', 'OK.']],
  ['addresses', ['Go to example.com/a.b now.', 'Mail a.b@c.org.', 'Version 2.1.3 is out.']],
  ['tokenised', ['So .', 'OK .', "Doesn't look like it crashed .", "That 's great ."]],
  ['emphasis', ['**This is bold.**', '*This is not.*', 'Plain.']],
  ['an emoji', ['Great 😀.', 'It works 🎉!', 'Bye.']],
  ['a lettered plan', ['We chose plan B.', 'It failed.']],
  ['a year before lower case', ['It closed in 2019.', 'people left.']],
  ['German', ['Am 3. Oktober feiert man, z. B. in Berlin.', 'Das ist Nr. 5.', 'Ende.']],
  ['French', ['Selon M. Dupont, c’est fini.', 'Mme. Petit le sait.', 'Pourquoi ?']],
  ['Spanish', ['¿Por qué no?', '¡Claro que sí!', 'El Sr. García vino.']],
  ['Russian', ['Это т.е. пример.', 'Вторая фраза.']],
  ['Arabic', ['هل هذا صحيح؟', 'نعم، هذا صحيح.', 'قال د. محمد ذلك.']],
  ['Hindi', ['यह एक वाक्य है।', 'यह दूसरा वाक्य है।', 'क्या यह ठीक है?']],
  ['Urdu', ['یہ ایک جملہ ہے۔', 'یہ دوسرا ہے۔']],
  ['Armenian', ['Սա առաջինն է։', 'Սա երկրորդն է։']],
  ['Hebrew', ['זה משפט אחד.', 'זה משפט שני!']],
  ['Korean', ['이것은 문장입니다.', '두 번째입니다.']],
];

test.each(PARAGRAPHS)('%s', (_, expected) => {
  expect(split(expected.join(' '))).toEqual(expected);
});

test('Chinese and Japanese need no space', () => {
  expect(split('这是一个句子。这是第二个！你好吗？')).toEqual(['这是一个句子。', '这是第二个！', '你好吗？']);
  expect(split('他说：“你好！”然后走了。再见。')).toEqual(['他说：“你好！”然后走了。', '再见。']);
  expect(split('「止まれ！」と言った。次の文です。')).toEqual(['「止まれ！」と言った。', '次の文です。']);
});

describe('lines', () => {
  test('a wrapped paragraph is one', () => {
    const text =
      'The committee met on Tuesday to discuss the budget for the coming\nYear 2025 and its consequences. It\ndecided nothing.';
    expect(split(text)).toEqual([text.slice(0, text.indexOf(' It\n')), 'It\ndecided nothing.']);
  });

  test('lines that stop short of the width are their own', () => {
    expect(split('Apples are red\nPears are green\nPlums are blue')).toEqual([
      'Apples are red',
      'Pears are green',
      'Plums are blue',
    ]);
  });

  test('blank lines and CRLF end a sentence', () => {
    expect(split('One without a stop\r\n\r\nTwo without a stop\r\n')).toEqual([
      'One without a stop',
      'Two without a stop',
    ]);
  });

  test('headings, lists, tables, code and rules', () => {
    const text =
      '# Title\n\nIntro text.\n\nSetext\n------\n\n- first item\n- second. It has two\n  lines.\n1. one\n2) two\n\n> Quoted text.\n\n***\n| a | b |\n```\nlet x;\n```\n';
    expect(sentences(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ['heading', 'Title'],
      ['prose', 'Intro text.'],
      ['heading', 'Setext'],
      ['item', 'first item'],
      ['item', 'second.'],
      ['item', 'It has two\n  lines.'],
      ['item', 'one'],
      ['item', 'two'],
      ['prose', 'Quoted text.'],
      ['table', '| a | b |'],
      ['code', 'let x;'],
    ]);
  });

  test('a short line above a paragraph is a heading, above another line it is not', () => {
    expect(sentences('Rising costs\n\nCosts rose by five percent last year.').map((s) => s.kind)).toEqual([
      'heading',
      'prose',
    ]);
    expect(sentences('Costs rose 5%\n\nSales fell by 3%').map((s) => s.kind)).toEqual(['prose', 'prose']);
  });
});

describe('turns', () => {
  const turns = (text: string) => sentences(text).map(({ speaker, start, end }) => [speaker, text.slice(start, end)]);

  test('one per line', () => {
    expect(turns('ALICE: We ship. On Friday.\nBOB: No.\nALICE: Why?')).toEqual([
      ['ALICE', 'We ship.'],
      ['ALICE', 'On Friday.'],
      ['BOB', 'No.'],
      ['ALICE', 'Why?'],
    ]);
  });

  test('names of many forms, empty turns, lines that go on', () => {
    const text =
      "Grad G: \nThe Chair (Hon. Anthony Rota (Nipissing, Lib.)): Order.\nMr. Chris d'Entremont: Thanks.\n[00:12:01] **Ana María:** Hola.\nand more\nGrad G: Yes.";
    expect(turns(text)).toEqual([
      ['The Chair (Hon. Anthony Rota (Nipissing, Lib.))', 'Order.'],
      ["Mr. Chris d'Entremont", 'Thanks.'],
      ['Ana María', 'Hola.'],
      ['Ana María', 'and more'],
      ['Grad G', 'Yes.'],
    ]);
  });

  test('a colon in prose is no speaker', () => {
    expect(turns('Note: this is prose.\nNote: so is this.\nSummary: all prose.').map(([speaker]) => speaker)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(turns('There is one thing: money. It matters.')[0]?.[0]).toBeUndefined();
  });
});

describe('any text', () => {
  const UNITS = 'a~B~ ~.~. ~!~?~"~(~)~\n~\n\n~- ~# ~Bob: ~。~😀~\u0000~\u200b~\ud83d~\ude00~5~…~“~”~*~Dr.~\r\n'.split(
    '~',
  );

  test('spans are ordered, trimmed, hold a letter or digit, and never cut a pair', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 60 }), fc.string({ unit: 'binary' })),
        (text) => {
          let before = 0;
          for (const { start, end } of sentences(text)) {
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            const quote = text.slice(start, end);
            expect(quote).toBe(quote.trim());
            expect(quote).toMatch(/[\p{L}\p{N}]/u);
            if (findLoneSurrogate(text) === undefined) expect(findLoneSurrogate(quote)).toBeUndefined();
            before = end;
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('every letter and digit of plain prose is in some sentence', () => {
    const word = fc.constantFrom('Rain', 'falls', 'in', 'U.S.', 'May.', 'Dr.', 'cat!', '(so)', '"yes."', '12', 'end.');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
        const text = words.join(' ');
        expect(split(text).join(' ')).toBe(text);
      }),
    );
  });

  test('sentences put together come apart again', () => {
    const known = fc.constantFrom(
      'Taxes rose by 3.5 percent.',
      'The U.S. Senate voted on No. 5.',
      'He said "Stop!" and left.',
      'Why not?',
      'Dr. Smith (a friend) agreed!',
      'kids learn a trade.',
      'So do I.',
      'It works… mostly.',
      'यह एक वाक्य है।',
      'هل هذا صحيح؟',
    );
    fc.assert(
      fc.property(fc.array(known, { minLength: 1, maxLength: 20 }), fc.constantFrom(' ', '  ', '\n\n'), (list, gap) => {
        expect(split(list.join(gap))).toEqual(list);
      }),
    );
  });
});

/** What each terminator looks at is bounded, so that these are instant; a quadratic rule would run into the time limit. */
test.each([
  ['one word over and over', 'word '.repeat(200_000), 1],
  ['full stops', '.'.repeat(1_000_000), 0],
  ['spaced full stops', '. '.repeat(500_000), 0],
  ['no space', 'a'.repeat(1_000_000), 1],
  ['dots and letters', 'a.'.repeat(500_000), 1],
  ['open brackets', '('.repeat(1_000_000), 0],
  ['white space', ' '.repeat(1_000_000), 0],
  ['turns', 'Bob: yes.\n'.repeat(50_000), 50_000],
])('a megabyte of %s', (_, text, count) => {
  expect(sentences(text)).toHaveLength(count);
});

test.each([
  ['lines', '- a\n'.repeat(225_000)],
  ['paragraphs, list items and rows', 'Go.\n'.repeat(50_001)],
  ['paragraphs, list items and rows', `<ul>${'<li>a</li>'.repeat(50_001)}</ul>`],
  ['sentences', 'We go on. '.repeat(100_001)],
])('a document has a bounded number of %s', (what, text) => {
  expect(() => sentences(text)).toThrow(new RegExp(`at most \\d+ ${what}: give it in parts`));
});
