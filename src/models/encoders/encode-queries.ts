import type { Encoder, Encoding } from './encoder.ts';

/** Encodes questions: as the encoder wants them put, or as any text where it makes no difference between them. */
export function encodeQueries(encoder: Encoder, texts: readonly string[]): Promise<Encoding[]> {
  return encoder.encodeQueries === undefined ? encoder.encode(texts) : encoder.encodeQueries(texts);
}
