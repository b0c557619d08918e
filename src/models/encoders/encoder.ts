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
