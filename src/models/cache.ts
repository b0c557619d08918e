/** Vectors of one text by one encoder. */
export interface StoredEncoding extends StoredTokens {
  readonly sentence: Float32Array;
}

/** Token vectors of one text, row by row, with the id of each token. */
export interface StoredTokens {
  /** Content hash of the text. */
  readonly textHash: string;
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

/** Sentence vectors of texts that are asked for together, as those of a document: they are read as one. */
export interface StoredVectorList {
  /** Names the texts, in their order. */
  readonly key: string;
  /** End to end. */
  readonly vectors: Float32Array;
}

/** Which extraction: of which text, made how. */
export interface ExtractionKey {
  readonly documentHash: string;
  /** Names everything that the result depends on beside the text. */
  readonly extractor: string;
}

/** What was extracted from one text. */
export interface StoredExtraction extends ExtractionKey {
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  readonly words: number;
  /** JSON array of key points. */
  readonly keyPoints: string;
  /** JSON array of key points whose quotes the text does not hold. */
  readonly unverified: string;
}

export interface StoredJudgement {
  /** Names everything that the verdict depends on. */
  readonly key: string;
  /** What was judged. */
  readonly kind: string;
  /** JSON. */
  readonly verdict: string;
}

export interface StoredText {
  /** Content hash of `text`. */
  readonly hash: string;
  readonly text: string;
}

/**
 * Where digests and evaluations keep what can be made again: encodings, extractions and judgements, by everything that they
 * depend on. What is there already stays as it is when it is saved again; what is missing is absent from what a reader returns.
 * Whatever a method throws ends the digest or the evaluation.
 */
export interface WorkCache {
  /** What the entries are kept in. Caches with the same `source` and `scope` hold the same entries, and share work under way. */
  readonly source: object;
  /** Whose entries they are. */
  readonly scope: string;
  /** Sentence vectors by hash of the text. */
  readSentenceVectors(encoder: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Lists of sentence vectors by key: a shortcut to what `readSentenceVectors` reads, so that any may be absent. */
  readVectorLists(encoder: string, keys: readonly string[]): Promise<Map<string, Float32Array>>;
  saveVectorLists(encoder: string, rows: readonly StoredVectorList[]): Promise<void>;
  /** Token vectors by hash of the text. */
  readTokens(encoder: string, hashes: readonly string[]): Promise<Map<string, StoredTokens>>;
  saveEncodings(encoder: string, rows: readonly StoredEncoding[]): Promise<void>;
  readExtractions(keys: readonly ExtractionKey[]): Promise<StoredExtraction[]>;
  saveExtractions(rows: readonly StoredExtraction[]): Promise<void>;
  /** Told of the texts that extractions are about to be kept for. Nothing reads them back through the cache. */
  saveDocuments(texts: readonly StoredText[]): Promise<void>;
  /** Verdicts by key. */
  readJudgements(keys: readonly string[]): Promise<Map<string, string>>;
  saveJudgements(rows: readonly StoredJudgement[]): Promise<void>;
  deleteJudgements(which: { readonly kind: string; readonly keys: readonly string[] }): Promise<void>;
  /** The same cache for one run, within which nothing that was read or saved goes away; absent where nothing is ever evicted so soon. */
  forRun?(): WorkCache;
}
