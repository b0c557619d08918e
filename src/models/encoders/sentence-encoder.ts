import { beginning } from '../../text/index.ts';
import { MalformedAnswer } from '../language/answer-failures.ts';
import { ModelCallError } from '../language/model-call-error.ts';
import { normalizeRows } from '../linear-algebra/normalize-rows.ts';
import type { Encoder, EncoderProfile, Encoding } from './encoder.ts';
import type { Spend } from './encoder-endpoint.ts';
import { inBatches } from './in-batches.ts';
import { withoutTokens } from './without-tokens.ts';

/** A model elsewhere that makes one vector of a text. */
interface SentenceModel {
  readonly profile: EncoderProfile;
  /** The name that failures are told by. */
  readonly model: string;
  /** Put before a question. */
  readonly queryPrefix: string;
  /** Put before every other text. */
  readonly textPrefix: string;
  /** Longer texts are cut. */
  readonly maxCharacters: number;
  /** Texts and characters of one request at most. */
  readonly batch: { readonly texts: number; readonly characters: number };
  /**
   * Asks for the vectors of the texts of one request, none of them blank.
   *
   * @returns one vector per text, in their order, each checked by `direction`
   * @throws ModelCallError
   */
  ask(texts: readonly string[], spend: Spend): Promise<Float32Array[]>;
}

/**
 * An encoder of a model elsewhere: sentence vectors of unit length, no tokens. Blank texts are not sent; they are zero
 * vectors. That a text's vector does not depend on the texts in the same request (promise P6) is the server's promise.
 *
 * Its methods throw ModelCallError where the model fails for good, or makes vectors of other dimensions than its profile
 * says.
 */
export function sentenceEncoder(sentences: SentenceModel): Encoder {
  const { profile, model, maxCharacters, batch } = sentences;
  const dimensions = profile.sentenceDimensions;

  async function encodeBatch(texts: readonly string[], spend: Spend): Promise<Encoding[]> {
    const vectors = await sentences.ask(texts, spend);
    return vectors.map((vector) => {
      if (vector.length === dimensions) {
        return { ...withoutTokens(0), sentence: normalizeRows(vector, 1, dimensions) };
      }
      const detail = `makes vectors of ${vector.length} dimensions, not of the ${dimensions} it is configured with`;
      throw new ModelCallError('malformed', `The model "${model}" ${detail}.`);
    });
  }

  async function encodeAll(texts: readonly string[], prefix: string, spend: Spend): Promise<Encoding[]> {
    const encodings = texts.map(() => withoutTokens(dimensions));
    // Endpoints refuse texts of nothing.
    const filled = [...texts.keys()].filter((i) => /\S/.test(texts[i]));
    const sent = filled.map((i) => prefix + beginning(texts[i], maxCharacters));
    const found = await Promise.all(
      inBatches(sent, batch.texts, batch.characters).map((each) => encodeBatch(each, spend)),
    );
    found.flat().forEach((encoding, k) => {
      encodings[filled[k]] = encoding;
    });
    return encodings;
  }

  const metered = (spend: Spend): Encoder => ({
    profile,
    metered,
    encode: (texts) => encodeAll(texts, sentences.textPrefix, spend),
    encodeQueries: (texts) => encodeAll(texts, sentences.queryPrefix, spend),
  });
  return metered(() => {});
}

/** A vector as it is reckoned with. @throws MalformedAnswer where it points nowhere: it would be kept, and like nothing */
export function direction(numbers: readonly number[]): Float32Array {
  const vector = Float32Array.from(numbers);
  const norm = Math.sqrt(vector.reduce((sum, v) => sum + v * v, 0));
  if (!Number.isFinite(norm) || norm === 0) throw new MalformedAnswer('a vector is of zeros, or not of finite numbers');
  return vector;
}
