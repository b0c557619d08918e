import type { CallUsage } from '../language/usage.ts';

/** What an encoder makes of one text. */
export interface Encoding {
  /** Sentence vector of unit length (all zero for a text without tokens), `sentenceDimensions` long. */
  readonly sentence: Float32Array;
  /**
   * Contextual token vectors, row-major, tokens x `tokenDimensions`, special tokens excluded; empty without tokens. Eight
   * bits a component, each row scaled so that its largest is 127: only directions count (docs/decisions/token-vectors.md).
   */
  readonly tokens: Int8Array;
  /** Vocabulary ids of the tokens, for inverse document frequencies. */
  readonly tokenIds: Int32Array;
}

/** Facts about an encoder that choices are made by. */
export interface EncoderProfile {
  /** Names weights and processing; part of cache keys, so it changes whenever a vector would. */
  readonly id: string;
  readonly sentenceDimensions: number;
  /** 0 for an encoder without token vectors. */
  readonly tokenDimensions: number;
  /** ISO 639-3 codes of the languages it was trained for; null for any. */
  readonly languages: readonly string[] | null;
  /** UTF-8 bytes of a text that it reads whole; absent for encoders of sentences, which cut longer texts. */
  readonly wholeBytes?: number | undefined;
  /** Thresholds that hold for this encoder only, found as docs/decisions/agreement.md and the pages below say. */
  readonly calibration: Calibration;
}

export interface Calibration {
  /** Agreement from which another document's point is taken to say the same. */
  readonly support: number;
  /** Similarity from which two points are paraphrases, whatever the rest of the request looks like. */
  readonly paraphrase: number;
  /** BERTScore from which a point is taken to tell a reader nothing new; for cosines it is `same`. */
  readonly familiar: number;
  /** Cosine of sentence vectors below which two points are about different things, whatever else is there. */
  readonly unlike: number;
  /** Cosine from which, in running text, where neighbours in meaning are many, two points may say the same. */
  readonly same: number;
  /** Cosine of a question with statements that have nothing to do with it, widened by what shared words add. */
  readonly unrelated: { readonly mean: number; readonly deviation: number };
  /** Mean and deviation of its cosines of questions with points; null where they were not measured: no level means anything then. */
  readonly relevance: { readonly mean: number; readonly deviation: number } | null;
  /** From where on quotes are taken to support a sentence that cites them (docs/decisions/support.md). */
  readonly supported: SupportLevels;
  /** How people judge whether one text tells another, from how much of it is found there (docs/decisions/embedded-judge.md). */
  readonly coverage: CoverageLevels;
}

/** Without token vectors the curve is the judge's own, and of these only `half` and `full` are read. */
export interface CoverageLevels {
  /** Share found that people halve over: the middle of the logistic curve that makes it a score in [0, 1], */
  readonly middle: number;
  /** and how flat that curve is. */
  readonly width: number;
  /** Score from which a text counts as half told, */
  readonly half: number;
  /** and as told in full. */
  readonly full: number;
}

interface SupportLevels {
  /** Level of the recall of a sentence's tokens in those of its quotes. */
  readonly tokens: number;
  /** Level where there are no tokens: of the mean of the recall of its words and its cosine with the quotes. */
  readonly words: number;
}

export interface Encoder {
  readonly profile: EncoderProfile;
  /** The same, telling what its calls of an endpoint take; absent where it calls none. */
  metered?(spend: (usage: CallUsage) => void): Encoder;
  /**
   * Encodes texts. A text's encoding does not depend on the others in the call (promise P6).
   *
   * @returns one encoding per text, in their order
   */
  encode(texts: readonly string[]): Promise<Encoding[]>;
  /** Encodes questions, where the encoder was trained to read them with an instruction or prefix of their own. */
  encodeQueries?(texts: readonly string[]): Promise<Encoding[]>;
}

/** A statement, and what may bear it out. */
export interface EntailmentQuestion {
  readonly claim: string;
  /** The same evidence at several lengths, the fullest first: the first that fits into the model is read. */
  readonly premises: readonly string[];
}

/** Tells whether texts entail statements, reading each pair together. */
export interface EntailmentModel {
  /** Names the weights and their precision. */
  readonly id: string;
  /**
   * Where no premise fits, the last is read in windows, and the surest of them counts. A claim that takes more than half of what
   * the model reads at once, and one without evidence, has 0.
   *
   * @returns for each question the probability of entailment, in [0, 1], whatever else is asked in the call
   */
  entailment(questions: readonly EntailmentQuestion[]): Promise<Float64Array>;
}

/** Finds how relevant texts are to a question by reading both together; it makes no vectors. */
export interface Reranker {
  /** The same, telling what its calls take. */
  metered?(spend: (usage: CallUsage) => void): Reranker;
  readonly profile: {
    /** Names the model and where it is. */
    readonly id: string;
    /** ISO 639-3 codes of the languages it was trained for; null for any. */
    readonly languages: readonly string[] | null;
    /** The best score from which something speaks to the question. */
    readonly matched: number;
  };
  /**
   * Scores texts, the more relevant the higher. A text's score does not depend on the others in the call.
   *
   * @returns one score per text, in their order
   */
  score(query: string, texts: readonly string[]): Promise<Float64Array>;
}

/** Whatever relevance may be found by. */
export type RelevanceScorer = Encoder | Reranker;

export function isReranker(scorer: RelevanceScorer): scorer is Reranker {
  return 'score' in scorer;
}

/** Encodes questions: as the encoder wants them put, or as any text where it makes no difference between them. */
export function encodeQueries(encoder: Encoder, texts: readonly string[]): Promise<Encoding[]> {
  return encoder.encodeQueries === undefined ? encoder.encode(texts) : encoder.encodeQueries(texts);
}

/** The encoding of a text that nothing is read of: a zero vector, no tokens. */
export function withoutTokens(sentenceDimensions: number): Encoding {
  return { sentence: new Float32Array(sentenceDimensions), tokens: new Int8Array(0), tokenIds: new Int32Array(0) };
}

/**
 * Thresholds for an encoder that nobody has measured, chosen so that being wrong costs little: points join only where they
 * are much alike, so that citations are few rather than false; a sentence has to be close to its quotes; and what is asked
 * counts as answered unless nothing is near at all, so that no digest is empty because cosines of this encoder run low.
 *
 * In the place of its own and with cosines alone (24 queries of four haystacks), they make citations of all-MiniLM-L6-v2 58.6%
 * precise rather than 56.8; the joint score moves from 26.4 to 23.2.
 */
export const CAUTIOUS: Calibration = {
  // Agreement is relative to the request: 0.15 for all-MiniLM-L6-v2.
  support: 0.2,
  // As for vectors of which nothing is known at all.
  paraphrase: 0.95,
  familiar: 0.9,
  // Above those of all-MiniLM-L6-v2, 0.55 and 0.68, and of an encoder whose cosines run higher, 0.62 and 0.76.
  unlike: 0.7,
  same: 0.8,
  // Below those of the same two, 0.05 and 0.1, 0.102 and 0.115.
  unrelated: { mean: 0, deviation: 0.05 },
  relevance: null,
  supported: { tokens: 0.8, words: 0.7 },
  // Above those measured. Without tokens the judge's own curve stands for middle and width.
  coverage: { middle: 0.45, width: 0.09, half: 0.35, full: 0.65 },
};
