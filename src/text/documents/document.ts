/** A document as the caller sent it. `text` is never altered: every offset in Tessera points into it. */
export interface SourceDocument {
  readonly id: string;
  readonly text: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  /** ISO 8601 date or date-time. */
  readonly publishedAt?: string | undefined;
  /** Reliability, a positive factor of quality; 1 where the caller gave none. */
  readonly weight?: number | undefined;
}

/** A half-open range of UTF-16 code units of a document's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
