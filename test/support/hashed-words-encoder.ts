import {
  type Encoder,
  type EncoderProfile,
  type Encoding,
  normalizeRows,
  quantizeRows,
} from '../../src/models/index.ts';

const DIMENSIONS = 128;
/** The limit of the real encoder. */
const MAX_TOKENS = 512;
const WORD = /[\p{L}\p{N}]+/gu;
const FUNCTION_WORDS = new Set(
  'a an and are as at be but by do does for from had has have how in is it its not of on or that the their there they this to was we were what when which who why will with'.split(
    ' ',
  ),
);
/** Weight of function words in a sentence vector, so that texts that share only them stay apart. */
const FUNCTION_WEIGHT = 0.1;

/** An encoder without a model: a word is a pseudo-random unit vector, a sentence the sum of its words. Records its calls. */
export class HashedWordsEncoder implements Encoder {
  readonly profile: EncoderProfile;
  readonly calls: string[][] = [];

  constructor(profile: Partial<EncoderProfile> = {}) {
    this.profile = {
      id: 'hashed-words/1',
      sentenceDimensions: DIMENSIONS,
      tokenDimensions: DIMENSIONS,
      languages: ['eng'],
      calibration: {
        support: 0.2,
        paraphrase: 0.9,
        familiar: 0.65,
        unlike: 0.62,
        same: 0.76,
        unrelated: { mean: 0.05, deviation: 0.09 },
        relevance: { mean: 0.1, deviation: 0.15 },
      },
      ...profile,
    };
  }

  get texts(): string[] {
    return this.calls.flat();
  }

  async encode(texts: readonly string[]): Promise<Encoding[]> {
    this.calls.push([...texts]);
    return texts.map((text) => encodeOne(text, this.profile.tokenDimensions > 0));
  }
}

function encodeOne(text: string, withTokens: boolean): Encoding {
  const words = (text.toLowerCase().match(WORD) ?? []).slice(0, MAX_TOKENS);
  const sentence = new Float32Array(DIMENSIONS);
  const tokens = new Float32Array(words.length * DIMENSIONS);
  words.forEach((word, row) => {
    const vector = wordVector(word);
    tokens.set(vector, row * DIMENSIONS);
    const weight = FUNCTION_WORDS.has(word) ? FUNCTION_WEIGHT : 1;
    for (let c = 0; c < DIMENSIONS; c++) sentence[c] += weight * vector[c];
  });
  return {
    sentence: normalizeRows(sentence, 1, DIMENSIONS),
    tokens: withTokens ? quantizeRows(tokens, words.length, DIMENSIONS) : new Int8Array(0),
    tokenIds: withTokens ? Int32Array.from(words, hash) : new Int32Array(0),
  };
}

const vectors = new Map<string, Float32Array>();

function wordVector(word: string): Float32Array {
  const known = vectors.get(word);
  if (known !== undefined) return known;
  let state = hash(word) | 1;
  const vector = Float32Array.from({ length: DIMENSIONS }, () => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 - 0.5;
  });
  normalizeRows(vector, 1, DIMENSIONS);
  vectors.set(word, vector);
  return vector;
}

/** FNV-1a, as an Int32. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), 0x01000193);
  return value & 0x7fffffff;
}
