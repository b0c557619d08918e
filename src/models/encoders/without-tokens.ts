import type { Encoding } from './encoder.ts';

/** The encoding of a text that nothing is read of: a zero vector, no tokens. */
export function withoutTokens(sentenceDimensions: number): Encoding {
  return { sentence: new Float32Array(sentenceDimensions), tokens: new Int8Array(0), tokenIds: new Int32Array(0) };
}
