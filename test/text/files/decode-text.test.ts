import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '../../../src/text/files/decode-text.ts';

/** In one stream: at once, Node 20 takes Windows-1252 for Latin-1. */
function decodeAs(label: string, bytes: Uint8Array): string {
  const decoder = new TextDecoder(label);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** The bytes of a text in an encoding of one or two bytes to a character, by trying all. */
function encode(text: string, label: string): Uint8Array {
  const known = new Map<string, number[]>();
  const add = (...bytes: number[]): void => {
    const character = decodeAs(label, Uint8Array.from(bytes));
    if (!character.includes('\ufffd') && !known.has(character)) known.set(character, bytes);
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x81; first < 256; first++) for (let second = 0x40; second < 256; second++) add(first, second);
  return Uint8Array.from([...text].flatMap((character) => known.get(character) ?? []));
}

const RUSSIAN = 'В прошлом году город открыл новую линию трамвая, и число пассажиров выросло.';
const GREEK = 'Το νέο τραμ άνοιξε πέρυσι και οι επιβάτες αυξήθηκαν.';
const JAPANESE = '昨年、市は新しい路面電車を開業し、乗客数が増えました。';

test.each([
  ['windows-1252', 'Größe'],
  ['windows-1252', 'The council’s “charge” raised €40 million – more than planned.'],
  ['windows-1252', 'El año pasado la señora Núñez habló con los niños.'],
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['windows-1253', GREEK.replace(/Ά/g, 'Α')],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['gb18030', '去年，该市开通了新的电车线路，乘客人数增加了。'],
  ['big5', '去年，該市開通了新的電車路線，乘客人數增加了。'],
  ['euc-kr', '작년에 시는 새로운 트램 노선을 개통했고 승객 수가 늘었습니다.'],
])('a text in %s is recognised: %s', (label, text) => {
  const bytes = encode(text, label);
  expect(decodeAs(label, bytes)).toBe(text);
  expect(decodeText(bytes, false)).toBe(text);
});

test('what the sender names holds before the page, and that before a guess; valid UTF-8 and a mark before all', () => {
  const page = (charset: string) => encode(`<meta charset="${charset}"><p>Да`, 'windows-1251');
  const decode = (bytes: Uint8Array, charset?: string) => decodeText(bytes, true, charset).slice(-2);
  expect(decode(page('koi8-r'), 'windows-1251')).toBe('Да');
  expect(decode(page('windows-1251'))).toBe('Да');
  expect(decode(page('windows-1251'), 'nonsense')).toBe('Да');
  expect(decode(new TextEncoder().encode('<meta charset="koi8-r"><p>Да'), 'windows-1251')).toBe('Да');
  expect(decode(Uint8Array.of(0xff, 0xfe, 0x14, 0x04, 0x30, 0x04), 'windows-1251')).toBe('Да');
});

test('every text in UTF-8 without zero bytes is read as it is, and no bytes make the reader fail otherwise', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
      expect(decodeText(new TextEncoder().encode(text), false)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (bytes, isMarkup) => {
      fc.pre(!bytes.includes(0));
      expect(decodeText(bytes, isMarkup)).not.toContain('\0');
    }),
  );
});
