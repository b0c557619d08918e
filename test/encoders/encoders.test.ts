import { beforeAll, describe, expect, test } from 'vitest';
import {
  defaultEncoder,
  type EncoderName,
  encoderProfile,
  hasTransformersModel,
  loadEncoder,
} from '../../src/encoders/choose-encoder.node.ts';
import type { Encoder, Encoding } from '../../src/encoders/encoder.ts';
import { bertScore } from '../../src/kernel/bertscore.ts';
import { tokenMatrix } from '../../src/kernel/token-matrix.ts';
import { tokenWeights } from '../../src/kernel/token-weights.ts';
import { portable } from '../../src/linear-algebra/portable.ts';
import { loadTensorFlow } from '../../src/linear-algebra/tensor-flow.node.ts';
import { dot } from '../kernel/random.ts';

const MODELS = process.env.TESSERA_TEST_MODELS ?? '/work/shared/models';
const hasModel = hasTransformersModel(MODELS);
const WHY = `no model in ${MODELS}; TESSERA_TEST_MODELS names another folder`;

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

/** Tokens that every encoder reads. */
const READ = 128;

function expectSound(encoding: Encoding, { profile }: Encoder): void {
  const { sentence, tokens, tokenIds } = encoding;
  expect(sentence).toHaveLength(profile.sentenceDimensions);
  expect(sentence.every(Number.isFinite)).toBe(true);
  const length = Math.hypot(...sentence);
  if (tokenIds.length > 0) expect(length).toBeCloseTo(1, 5);
  else expect([0, 1]).toContain(Math.round(length * 1e5) / 1e5);
  expect(tokens).toHaveLength(tokenIds.length * profile.tokenDimensions);
  expect(tokenIds.every((id) => id >= 0)).toBe(true);
  for (let t = 0; t < Math.min(tokenIds.length, READ); t++) {
    const row = tokens.subarray(t * profile.tokenDimensions, (t + 1) * profile.tokenDimensions);
    expect(row.reduce((most, v) => Math.max(most, Math.abs(v)), 0)).toBe(127);
  }
}

describe.each(['use-lite', 'transformers'] as const)('%s', (name: EncoderName) => {
  const skipped = name === 'transformers' && !hasModel;
  test.runIf(skipped)('is not tested here', (context) => context.skip(WHY));
  let encoder: Encoder;
  let together: Encoding[];
  beforeAll(async () => {
    if (skipped) return;
    encoder = await loadEncoder(name, MODELS);
    together = await encoder.encode(TEXTS);
  });

  test.skipIf(skipped)(
    'P6: alone, in a batch and in another order a text is encoded bit for bit the same',
    async () => {
      const alone: Encoding[] = [];
      for (const text of TEXTS) alone.push(...(await encoder.encode([text])));
      expect(alone).toEqual(together);
      const turned = await encoder.encode([...TEXTS].reverse());
      expect(turned.reverse()).toEqual(together);
      const atOnce = await Promise.all(TEXTS.map((text) => encoder.encode([text])));
      expect(atOnce.flat()).toEqual(together);
      expect(together[4]).toEqual(together[0]);
      expect(await encoder.encode([])).toEqual([]);
    },
  );

  test.skipIf(skipped)('unit sentences, as many tokens as ids, tokens that use their eight bits', () => {
    expect(encoder.profile).toEqual(encoderProfile(name));
    for (const encoding of together) {
      expectSound(encoding, encoder);
      expect(encoding.tokenIds.length).toBeGreaterThan(0);
    }
  });

  test.skipIf(skipped || name !== 'transformers')(
    'has the vectors of a processor with VNNI, whatever this one has',
    async () => {
      const [{ sentence }] = await encoder.encode(['Trams run at night in the city.']);
      const expected = [0.09384, -0.00942, -0.03321, 0.10767, 0.01885, -0.04708, -0.05353, 0.01306];
      for (const [place, value] of expected.entries()) expect(sentence[place]).toBeCloseTo(value, 3);
    },
  );

  test.skipIf(skipped)('the same meaning in other words is closer than another subject', () => {
    const [a, b, c] = together.map(({ sentence }) => sentence);
    expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.2);
    expect(dot(a, b)).toBeGreaterThan(dot(b, c) + 0.2);
  });

  test.skipIf(skipped).each(Object.entries(ODD))('%s', async (_, text) => {
    const [found, plain] = await encoder.encode([text, TEXTS[3]]);
    expectSound(found, encoder);
    expect(plain).toEqual(together[3]);
    if (text === '') expect(found.tokenIds).toHaveLength(0);
  });
});

describe('use-lite on texts of more than 128 tokens', () => {
  const words = (n: number) =>
    Array.from({ length: n }, (_, i) => ['tram', 'line', 'city', 'bus', 'road'][i % 5]).join(' ');
  let encodings: Encoding[];
  beforeAll(async () => {
    encodings = await (await loadEncoder('use-lite', undefined)).encode([words(130), words(200)]);
  });

  test('the sentence vector is that of the first 128 tokens', () => {
    expect(encodings[0].sentence).toEqual(encodings[1].sentence);
  });

  // Fail until use-lite.node.ts cuts the ids to the 128 tokens that the model reads: the rest come back as zero vectors,
  // which match nothing, not even themselves.
  test('has no token without a vector', () => {
    const { tokens, tokenIds } = encodings[1];
    const empty = Array.from(tokenIds.keys()).filter((t) =>
      tokens.subarray(t * 512, (t + 1) * 512).every((v) => v === 0),
    );
    expect(empty).toHaveLength(0);
  });

  test('a long statement and its copy are the same', async () => {
    const all = tokenMatrix([encodings[1], encodings[1]], 512);
    const s = await bertScore(all, tokenWeights(all, 2), portable).matrix();
    expect([...s]).toEqual([1, 1, 1, 1]);
  });
});

test('use-lite leaves no tensors behind', async () => {
  const tensors = async () =>
    ((await loadTensorFlow()) as unknown as { memory(): { numTensors: number } }).memory().numTensors;
  const encoder = await loadEncoder('use-lite', undefined);
  await encoder.encode(TEXTS);
  const before = await tensors();
  await Promise.all([encoder.encode(TEXTS), encoder.encode(['', TEXTS[1]])]);
  expect(await tensors()).toBe(before);
});

test('the choice of an encoder', async () => {
  expect(defaultEncoder(undefined)).toBe('use-lite');
  expect(defaultEncoder('/nowhere')).toBe('use-lite');
  expect(hasTransformersModel('/nowhere')).toBe(false);
  await expect(loadEncoder('transformers', '/nowhere')).rejects.toThrow('TESSERA_MODELS');
  await expect(loadEncoder('transformers', undefined)).rejects.toThrow('tessera models pull');
});
