import type { CallUsage } from '../language/usage.ts';

export interface Encoding {
  /** Unit length, or zero for a text without tokens. */
  readonly sentence: Float32Array;
  /** Contextual token vectors, row-major, tokens x `tokenDimensions`, without special tokens; int8, the largest of each row is 127. */
  readonly tokens: Int8Array;
  /** Vocabulary ids of the tokens, for inverse document frequencies. */
  readonly tokenIds: Int32Array;
}

export interface EncoderProfile {
  /** Names weights and processing. Part of cache keys: changes whenever a vector would. */
  readonly id: string;
  readonly sentenceDimensions: number;
  readonly tokenDimensions: number;
  readonly languages: readonly string[] | null;
  /** Max UTF-8 bytes of a text that is read whole; absent for sentence encoders, which truncate. */
  readonly wholeBytes?: number | undefined;
  /** Thresholds for this encoder only (docs/decisions/agreement.md). */
  readonly calibration: Calibration;
}

export interface Calibration {
  readonly support: number;
  readonly paraphrase: number;
  /** Min BERTScore at which a point tells the reader nothing new; for cosines `same` is used. */
  readonly familiar: number;
  /** Max cosine of sentence vectors of points about different things. */
  readonly unlike: number;
  /** Min cosine at which two points of running text, where many neighbours are similar, may say the same. */
  readonly same: number;
  /** Cosine of a question with unrelated statements, widened by the effect of shared words. */
  readonly unrelated: { readonly mean: number; readonly deviation: number };
  /** Cosines of questions with points; null if not measured, so that no absolute level applies. */
  readonly relevance: { readonly mean: number; readonly deviation: number } | null;
}

/** Pays for the calls of an endpoint, which end with the signal. */
export interface EncoderCaller {
  spend(usage: CallUsage): void;
  readonly signal?: AbortSignal | undefined;
}

export interface Encoder {
  readonly profile: EncoderProfile;
  metered?(caller: EncoderCaller): Encoder;
  /** A text's encoding does not depend on the others (promise P6). @returns one encoding per text, in order */
  encode(texts: readonly string[]): Promise<Encoding[]>;
  /** Encodes questions, if the encoder was trained on a separate instruction or prefix for them. */
  encodeQueries?(texts: readonly string[]): Promise<Encoding[]>;
}

export interface Reranker {
  metered?(caller: EncoderCaller): Reranker;
  readonly profile: {
    readonly id: string;
    readonly languages: readonly string[] | null;
    /** Min best score at which a text counts as an answer. */
    readonly matched: number;
  };
  /** A text's score does not depend on the others. @returns one score per text, in order; higher is more relevant */
  score(query: string, texts: readonly string[]): Promise<Float64Array>;
}

export type RelevanceScorer = Encoder | Reranker;

export function isReranker(scorer: RelevanceScorer): scorer is Reranker {
  return 'score' in scorer;
}

export function encodeQueries(encoder: Encoder, texts: readonly string[]): Promise<Encoding[]> {
  return encoder.encodeQueries === undefined ? encoder.encode(texts) : encoder.encodeQueries(texts);
}

export function withoutTokens(sentenceDimensions: number): Encoding {
  return { sentence: new Float32Array(sentenceDimensions), tokens: new Int8Array(0), tokenIds: new Int32Array(0) };
}

/** Of unmeasured encoders, so that errors cost little: all-MiniLM-L6-v2 loses 3.2 of its joint score of 26.4 (24 haystack queries). */
export const CAUTIOUS: Calibration = {
  // Relative to the request: 0.15 for all-MiniLM-L6-v2.
  support: 0.2,
  paraphrase: 0.95,
  familiar: 0.9,
  // Above those of all-MiniLM-L6-v2 (0.55, 0.68) and of an encoder whose cosines run higher (0.62, 0.76).
  unlike: 0.7,
  same: 0.8,
  // Below those of the same two: 0.05 and 0.1, 0.102 and 0.115.
  unrelated: { mean: 0, deviation: 0.05 },
  relevance: null,
};
