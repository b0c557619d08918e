export type Field =
  | 'stated'
  | 'helps'
  | 'attested'
  | 'importance'
  | 'answerable'
  | 'correct'
  | 'entailed'
  | 'reported'
  | 'outcome'
  | 'rating';
export type Answer =
  | 'no'
  | 'yes'
  | 'disagree'
  | 'neutral'
  | 'agree'
  | 'unwanted'
  | 'okay'
  | 'vital'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8';

export type ItemKind = 'key point' | 'nugget' | 'question' | 'claim' | 'sentence' | 'intent';

export interface Session {
  readonly set: string;
  /** Null if the page asks for it. */
  readonly annotator: string | null;
  readonly items: readonly Item[];
}

export interface Item {
  readonly id: string;
  readonly query: string | null;
  readonly kind: ItemKind;
  /** The key point, question or claim to judge. */
  readonly statement: string;
  /** Index for `GET /api/documents/:place`. */
  readonly document: number;
  /** Highlighted words, in UTF-16 code units of the document. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  readonly fields: readonly Field[];
}

/** `GET /api/documents/:place`. */
export interface AnnotatedSource {
  readonly title: string;
  readonly text: string;
}

export interface Decided {
  readonly item: string;
  readonly field: Field;
  readonly value: Answer;
}

/** `POST /api/labels`: 204 once it is on disk. Null retracts an earlier decision. */
export interface NewLabel {
  readonly item: string;
  readonly annotator: string;
  readonly field: Field;
  readonly value: Answer | null;
}

export interface Refusal {
  readonly detail: string;
}

/** Max characters. */
export const MAX_NAME_LENGTH = 100;
