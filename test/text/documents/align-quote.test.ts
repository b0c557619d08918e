import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findLoneSurrogate, foldText, quoteAligner } from '../../../src/text/index.ts';

/** What was found, as the text has it; `~` before what was repaired. */
function found(text: string, quote: string, from?: number, to?: number): string[] | null {
  const spans = quoteAligner(text).align(quote, from, to)?.spans;
  return spans?.map(({ start, end, status }) => `${status === 'exact' ? '' : '~'}${text.slice(start, end)}`) ?? null;
}

afterEach(() => vi.restoreAllMocks());

const FORGIVEN: readonly (readonly string[])[] = [
  ['white space', 'Rents  rose\n\tsharply in May.', 'Rents rose sharply in May.'],
  ['no-break spaces and page breaks', 'Rents\u00a0rose\fsharply.', 'Rents rose sharply.'],
  ['a space before a mark', 'Rents rose , he said .', 'Rents rose, he said.'],
  ['hyphenation', 'an inter-\nnational treaty', 'an international treaty'],
  ['hyphenation with a soft hyphen', 'an inter\u00ad\nnational treaty', 'an international treaty'],
  ['case', 'Rents Rose in May', 'RENTS rose in may'],
  ['final sigma', 'ΝΕΟΣ ΔΡΟΜΟΣ', 'νεος δρομος'],
  ['quotation marks', 'He said “stop” and ‘go’', `He said "stop" and 'go'`],
  ['double for single ones', 'He said “stop” twice', `He said 'stop' twice`],
  ['marks of old typesetting', "He said ``stop'' twice", 'He said "stop" twice'],
  ['dashes', 'It rose — slowly – in 1990–2000', 'It rose - slowly -- in 1990-2000'],
  ['ellipses', 'Well… it may be so', 'Well... it may be so'],
  ['invisible characters', 'soft\u00adware is\u200b go\ufeffod', 'software is good'],
  ['ligatures', 'The oﬃce is ﬁne', 'the office is fine'],
  ['half width', 'ｶﾞﾗｽのｺｯﾌﾟ', 'ガラスのコップ'],
  ['composed forms', 'The cafe\u0301 closed', 'The café closed'],
  [
    'emphasis in the text',
    'This is **very** _good_ `code` here',
    'is very good code here',
    'is **very** _good_ `code` here',
  ],
  ['emphasis in the quote', 'This is very good', 'This is **very good**'],
  ['marks around the quote', 'Rents rose in May', '“Rents rose in May”'],
  ['ellipses around the quote', 'In May rents rose here', '... rents rose […]', 'rents rose'],
  ['an added final mark', 'Rents rose in May, he said', 'Rents rose in May.', 'Rents rose in May'],
  ['Chinese next to Latin letters', '使用 AI 的公司', '使用AI的公司'],
  ['full-width marks', '今天，天气很好！', '今天,天气很好!'],
  ['Thai', 'เขา ไป กรุงเทพ', 'เขาไปกรุงเทพ'],
  ['Arabic with joiners', 'می\u200cروم به خانه', 'میروم به خانه'],
];

test.each(FORGIVEN)('forgives %s', (_, text, quote, span = text) => {
  expect(found(`${text} ~`, quote)).toEqual([`~${span}`]);
  expect(found(`So: ${text}\n\nMore.`, quote)).toEqual([`~${span}`]);
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['another word', 'Rents rose sharply in May', 'Rents fell sharply in May'],
  ['a word left out', 'Rents rose sharply in May', 'Rents rose in May'],
  ['a negation left out', 'Rents did not rise in May', 'Rents did rise in May'],
  ['a word added', 'Rents rose in May', 'Rents rose sharply in May'],
  ['an accent left out', 'El niño está aquí', 'El nino está aquí'],
  ['another number', 'It rose 5% in May', 'It rose 6% in May'],
  ['a part of a word', 'concatenate all files', 'cat enate all'],
  ['the end of a word', 'The plan concatenates files', 'catenates files'],
  ['a part of a hyphenated word', 'all inter-\nnational law', 'national law'],
  ['a part of a compound', 'while non-smokers live longer', 'smokers live longer'],
  ['a compound for a word', 'They resign the deal', 'They re-sign the deal'],
  ['a contraction without its end', "We can't go on", 'We can'],
  ['a number without its fraction', 'It rose 3.5 points', 'It rose 3'],
  ['a fraction without its number', 'It rose 3.5 points', '5 points'],
  ['a number without its sign', 'It was -5 degrees', '5 degrees'],
  ['a product as a number', 'about 5*3 metres', 'about 53 metres'],
  ['a letter without its mark', 'at the cafe\u0301 now', 'at the cafe'],
  ['a base at the end of CJK', '这是か\u3099き', '这是か'],
  ['a part of an emoji', 'a family 👨‍👩‍👧 here', 'a family 👨'],
  ['one word', 'Rents rose in May', 'Rents'],
  ['white space', 'Rents rose in May', ' \n\u00a0'],
  ['nothing', 'Rents rose in May', ''],
  ['marks alone', 'Rents ... rose', '"..."'],
];

test.each(REFUSED)('refuses %s', (_, text, quote) => {
  expect(found(text, quote)).toBeNull();
});

test('exact where it stands as it is, white space around the quote apart', () => {
  const text = 'Rents rose in May. “Wages — fell,” he said.';
  expect(found(text, ' Rents rose in May.\n')).toEqual(['Rents rose in May.']);
  expect(found(text, 'Rents rose in May')).toEqual(['Rents rose in May']);
  expect(found(text, '“Wages — fell,”')).toEqual(['“Wages — fell,”']);
  expect(found('the plan—budgets rose', 'budgets rose')).toEqual(['budgets rose']);
  expect(found("Dans l'économie française", 'économie française')).toEqual(['économie française']);
  expect(found('in 2019, 200 people came', '200 people')).toEqual(['200 people']);
  expect(found('今天天气很好', '天气很好')).toEqual(['天气很好']);
  expect(found('one more 😀 here', 'one more \ud83d')).toEqual(['~one more']);
});

test('an exact occurrence comes before a repaired one, the first before others', () => {
  const text = 'RENTS ROSE here. Rents rose there. Rents rose.';
  expect(quoteAligner(text).align('Rents rose')?.spans).toEqual([{ start: 17, end: 27, status: 'exact' }]);
  expect(quoteAligner(text).align('rents rose')?.spans).toEqual([{ start: 0, end: 10, status: 'repaired' }]);
  expect(found('concatenate all, cat enate all', 'cat enate all')).toEqual(['cat enate all']);
  expect(found('the catalogue, the cat sat', 'the cat')).toEqual(['the cat']);
});

test('looks within the window alone', () => {
  const text = 'Rents rose. Wages fell. Rents rose.';
  const aligner = quoteAligner(text);
  expect(aligner.align('Rents rose', 5)?.spans).toEqual([{ start: 24, end: 34, status: 'exact' }]);
  expect(aligner.align('rents rose', 5)?.spans).toEqual([{ start: 24, end: 34, status: 'repaired' }]);
  expect(aligner.align('Wages fell', 0, 22)?.spans).toEqual([{ start: 12, end: 22, status: 'exact' }]);
  for (const quote of ['Wages fell', 'wages FELL']) {
    expect(aligner.align(quote, 0, 21)).toBeNull();
    expect(aligner.align(quote, 13, 35)).toBeNull();
    expect(aligner.align(quote, 30, 10)).toBeNull();
  }
});

test('one word or few characters are found where they are the whole', () => {
  expect(found(' Inflation.\n', 'inflation')).toEqual(['~Inflation']);
  expect(found('通胀。', '通胀')).toEqual(['通胀']);
});

describe('a quote with words left out', () => {
  const text = 'Rents in the old town rose sharply. Wages, however, fell by a third in two years.';

  test.each(['…', '...', '[...]', '[…]', '(...)', '. . .'])('is several spans: %s', (ellipsis) => {
    expect(found(text, `Rents in the old town ${ellipsis} fell by a third`)).toEqual([
      'Rents in the old town',
      'fell by a third',
    ]);
    expect(found(text, `"rents in the old town ${ellipsis} fell by a third."`)).toEqual([
      '~Rents in the old town',
      '~fell by a third',
    ]);
  });

  test('has parts in order, none twice, each long enough', () => {
    expect(found(text, 'fell by a third … Rents in the old town')).toBeNull();
    expect(found(text, 'in the old town … in the old town')).toBeNull();
    expect(found(text, 'Rents in the old town … fell')).toBeNull();
    expect(found(text, 'Rents in … two years')).toBeNull();
    expect(found(text, 'Rents in the old town … fell by a quarter')).toBeNull();
    expect(found(text, Array(9).fill('Rents in the old').join(' … '))).toBeNull();
  });

  test('takes the earlier of two places, so that what follows is still there', () => {
    const twice = 'OLD TOWN RENTS ROSE. New taxes came in. Old town rents rose.';
    expect(found(twice, 'Old town rents rose … taxes came in')).toEqual(['~OLD TOWN RENTS ROSE', 'taxes came in']);
  });
});

const WORDS = 'rents~Rose~ﬁne~café~cafe\u0301~don’t~CO₂~3.5~1,200~well-known~Straße~Ünal~東京~ОСЛО~😀~ｶﾞ~U.S.'.split(
  '~',
);
const JOINTS = [' ', '  ', '\n', '\u00a0', ' — ', ', ', '. ', ' “', '” ', ' \f', ' … ', '\u200b ', ' **', '** '];
const sentence = fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...JOINTS)), {
  minLength: 3,
  maxLength: 30,
});
const MANGLINGS: readonly ((quote: string) => string)[] = [
  (quote) => quote.replace(/\s+/g, '\n '),
  (quote) => quote.toUpperCase(),
  (quote) => quote.normalize('NFD'),
  (quote) => quote.normalize('NFC'),
  (quote) => quote.replace(/[“”]/g, '"').replaceAll('’', "'"),
  (quote) => quote.replaceAll('—', '–'),
  (quote) => quote.replaceAll('…', '...'),
  (quote) => quote.replaceAll('*', ''),
  (quote) => quote.replaceAll('\u200b', ''),
  (quote) => `“${quote}”`,
  (quote) => `… ${quote} …`,
  (quote) => `\ufeff${quote}.`,
];
/** Letters and digits alone, in one form. */
const letters = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');

test('words of a text are found however they were copied', () => {
  fc.assert(
    fc.property(sentence, fc.nat(), fc.nat(), fc.subarray([...MANGLINGS]), (pairs, a, b, manglings) => {
      const text = pairs.flat().join('');
      const offsets = pairs.map((_, n) => pairs.slice(0, n).flat().join('').length);
      const first = a % (pairs.length - 2);
      const last = Math.min(pairs.length - 1, first + 2 + (b % 5));
      const copied = text.slice(offsets[first], offsets[last] + pairs[last][0].length);
      const quote = manglings.reduce((mangled, mangle) => mangle(mangled), copied);
      const spans = quoteAligner(text).align(quote)?.spans ?? [];
      const words = pairs.slice(first, last + 1).filter(([word]) => /[\p{L}\p{N}]/u.test(word));
      expect(spans).toHaveLength(words.length > 1 ? 1 : spans.length);
      for (const { start, end } of spans) expect(letters(text.slice(start, end))).toBe(letters(copied));
      for (const { status } of quoteAligner(text).align(copied)?.spans ?? []) expect(status).toBe('exact');
    }),
    { numRuns: 100 },
  );
});

test('words with one changed, added or left out are not found', () => {
  const words = 'rents rose in May the old town fell by half wages and taxes were not paid'.split(' ');
  fc.assert(
    fc.property(fc.shuffledSubarray(words, { minLength: 5 }), fc.nat(), (some, at) => {
      const inner = 1 + (at % (some.length - 2));
      const text = some.join(' ');
      expect(found(text, text)).toEqual([text]);
      expect(found(text, some.with(inner, 'zounds').join(' '))).toBeNull();
      expect(found(text, some.toSpliced(inner, 0, 'zounds').join(' '))).toBeNull();
      expect(found(text, some.toSpliced(inner, 1).join(' '))).toBeNull();
      expect(
        found(
          text,
          some
            .with(inner, some[inner + 1])
            .with(inner + 1, some[inner])
            .join(' '),
        ),
      ).toBeNull();
    }),
  );
});

test('whatever the texts, a span is trimmed, cuts no character, and its own text is found again', () => {
  const noise = fc.string({
    unit: fc.constantFrom(..."ab1 \n-–'“”.…*_`[]👍🏽👨é\u0301\u200b\u200d中。²ﬁ5", '\u{1f468}\u200d\u{1f469}'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(noise, noise, fc.nat(40), fc.nat(40), (text, other, from, to) => {
      const aligner = quoteAligner(text);
      for (const quote of [other, text.slice(from, to), text]) {
        for (const [low, high] of [
          [0, text.length],
          [from, to],
        ]) {
          const spans = aligner.align(quote, low, high)?.spans ?? [];
          let before = low;
          for (const { start, end } of spans) {
            const slice = text.slice(start, end);
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeLessThanOrEqual(high);
            expect(slice).not.toBe('');
            expect(slice).toBe(slice.trim());
            expect(/\S$/u.test(text.slice(0, start)) && /^\p{M}/u.test(slice)).toBe(false);
            expect(findLoneSurrogate(slice)).toBeUndefined();
            expect(/^\p{M}/u.test(text.slice(end))).toBe(false);
            before = end;
          }
          if (spans.length === 1 && /^\w/.test(quote) && quote === text.slice(spans[0].start, spans[0].end))
            expect(spans[0].status).toBe('exact');
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('a long text is folded once, and quotes take a few searches', () => {
  const text = 'The café near number 17 sold “ﬁne” tea — again and again. 今天天气很好。\n'.repeat(16_000);
  expect(text.length).toBeGreaterThan(1_000_000);
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const aligner = quoteAligner(text);
  // Once for each kind of character beyond ASCII.
  expect(normalize.mock.calls.length).toBeLessThan(40);
  const folded = foldText(text);
  expect(folded.folded.length).toBeLessThanOrEqual(text.length * 1.1);
  const search = vi.spyOn(String.prototype, 'indexOf');
  for (let n = 0; n < 200; n++) aligner.align(`sold "fine" tea - number ${n} again`);
  expect(search.mock.calls.length).toBeLessThanOrEqual(200 * 5);
});
