import { beforeAll, expect, test } from 'vitest';
import { EMBEDDED, transformersEncoder, transformersProfile } from '../../../src/models/index.node.ts';
import type { Encoder, Encoding } from '../../../src/models/index.ts';

const TEXTS = [
  'The council approved a congestion charge for cars in the old town.',
  'Cars now pay a fee to drive into the historic centre, the council decided.',
  'Slugs avoid copper rings around tomato beds.',
  'Yes.',
  'The council approved a congestion charge for cars in the old town.',
];

const ODD: Readonly<Record<string, string>> = {
  empty: '',
  whitespace: ' \t\n\u00a0 ',
  NUL: 'a\u0000b',
  'only NUL': '\u0000',
  emoji: '👩‍👩‍👧‍👦 🚋🚋',
  'a lone surrogate': 'a \ud800 b',
  'combining marks': 'e\u0301\u0323'.repeat(20),
  Chinese: '市议会批准了拥堵费。',
  Arabic: 'وافق المجلس على الرسوم.',
  'special tokens': '[CLS] [SEP] [MASK] </s> <unk>',
  'no spaces': 'x'.repeat(600),
  '5,000 characters': 'The tram line will open in spring. '.repeat(150).slice(0, 5000),
};

function expectSound(encoding: Encoding, { profile }: Encoder): void {
  const { sentence, tokens, tokenIds } = encoding;
  expect(sentence).toHaveLength(profile.sentenceDimensions);
  expect(sentence.every(Number.isFinite)).toBe(true);
  const length = Math.hypot(...sentence);
  if (tokenIds.length > 0) expect(length).toBeCloseTo(1, 5);
  else expect([0, 1]).toContain(Math.round(length * 1e5) / 1e5);
  expect(tokens).toHaveLength(tokenIds.length * profile.tokenDimensions);
  expect(tokenIds.every((id) => id >= 0)).toBe(true);
  for (let t = 0; t < tokenIds.length; t++) {
    const row = tokens.subarray(t * profile.tokenDimensions, (t + 1) * profile.tokenDimensions);
    expect(row.reduce((most, v) => Math.max(most, Math.abs(v)), 0)).toBe(127);
  }
}

let encoder: Encoder;
let together: Encoding[];
beforeAll(async () => {
  encoder = await transformersEncoder();
  together = await encoder.encode(TEXTS);
});

test('P6: alone, in a batch and in another order a text is encoded bit for bit the same', async () => {
  const alone: Encoding[] = [];
  for (const text of TEXTS) alone.push(...(await encoder.encode([text])));
  expect(alone).toEqual(together);
  const turned = await encoder.encode([...TEXTS].reverse());
  expect(turned.reverse()).toEqual(together);
  const atOnce = await Promise.all(TEXTS.map((text) => encoder.encode([text])));
  expect(atOnce.flat()).toEqual(together);
  expect(together[4]).toEqual(together[0]);
  expect(await encoder.encode([])).toEqual([]);
});

test('unit sentences, as many tokens as ids, tokens that use their eight bits', () => {
  expect(encoder.profile).toEqual(transformersProfile(EMBEDDED));
  for (const encoding of together) {
    expectSound(encoding, encoder);
    expect(encoding.tokenIds.length).toBeGreaterThan(0);
  }
});

test('has the vectors of a processor with VNNI, whatever this one has', async () => {
  const [{ sentence }] = await encoder.encode(['Trams run at night in the city.']);
  const expected = [0.09384, -0.00942, -0.03321, 0.10767, 0.01885, -0.04708, -0.05353, 0.01306];
  for (const [place, value] of expected.entries()) expect(sentence[place]).toBeCloseTo(value, 3);
});

test.each(Object.entries(ODD))('%s', async (_, text) => {
  const [found, plain] = await encoder.encode([text, TEXTS[3]]);
  expectSound(found, encoder);
  expect(plain).toEqual(together[3]);
  if (text === '') expect(found.tokenIds).toHaveLength(0);
});
