import { windows } from '../../text/documents/windows.ts';
import { encodeQueries } from '../../models/encoders/encode-queries.ts';
import { encodeTexts } from '../../models/encoders/encoded-texts.ts';
import type { Encoder } from '../../models/encoders/encoder.ts';
import { vectorCosine } from '../../selection/kernel/vector-cosine.ts';
import type { Database } from '../../store/database.ts';

/**
 * What an encoder of sentences is given at once. MiniLM was trained on texts of 128 tokens; of windows of this size none has
 * more than 119 in 300,000 characters of Obama's addresses. By a sentence that had lost every third word it finds the one of 60
 * stretches of 5,000 characters of them that holds it with a mean reciprocal rank of 0.75, and 0.54 with windows of 1,200 bytes.
 */
const SENTENCE_BYTES = 480;
/** A character of any script. */
const LEAST_BYTES = 4;
/** Of a text that holds nothing. */
const LEAST = -1;

/**
 * Cosine of a query with each text: with the window of the text that is nearest to it, where the encoder does not read the
 * text at once (MaxP of Dai & Callan 2019). Vectors of texts are kept in the store.
 *
 * @returns one value in [-1, 1] per text
 * @throws ModelCallError where an endpoint fails for good
 */
export async function embeddingScores(
  query: string,
  texts: readonly string[],
  encoder: Encoder,
  database: Database,
): Promise<Float64Array> {
  const sizes = { bytes: Math.max(LEAST_BYTES, encoder.profile.wholeBytes ?? SENTENCE_BYTES), overlapBytes: 0 };
  const pieces = texts.map((text) => windows(text, sizes).map(({ start, end }) => text.slice(start, end)));
  const [[{ sentence: asked }], { sentences }] = await Promise.all([
    encodeQueries(encoder, [query]),
    encodeTexts(encoder, database, pieces.flat()),
  ]);
  let next = 0;
  return Float64Array.from(pieces, ({ length }) => {
    const own = sentences.slice(next, next + length);
    next += length;
    return own.reduce((best, sentence) => Math.max(best, vectorCosine(asked, sentence)), LEAST);
  });
}
