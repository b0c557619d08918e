/** What the page for annotators and `tessera benchmark annotate` say to each other. */

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

/** What an item shows for people to judge. */
export type ItemKind = 'key point' | 'nugget' | 'question' | 'claim' | 'sentence' | 'intent';

/** `GET /api/session`. */
export interface Session {
  /** Name of the set. */
  readonly set: string;
  /** Who annotates; null where the page asks. */
  readonly annotator: string | null;
  readonly items: readonly Item[];
}

export interface Item {
  readonly id: string;
  readonly query: string | null;
  readonly kind: ItemKind;
  /** The key point, or what else its kind says. */
  readonly statement: string;
  /** Place of its document among those that `GET /api/documents/:place` gives. */
  readonly document: number;
  /** The highlighted words, in UTF-16 code units of the document. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  /** What is asked of it. */
  readonly fields: readonly Field[];
}

/** `GET /api/documents/:place`. */
export interface AnnotatedSource {
  readonly title: string;
  readonly text: string;
}

/** A decision; `GET /api/labels?annotator=` gives all that count. */
export interface Decided {
  readonly item: string;
  readonly field: Field;
  readonly value: Answer;
}

/** `POST /api/labels`: answered with 204 once it is on disk. Null takes an earlier decision back. */
export interface NewLabel {
  readonly item: string;
  readonly annotator: string;
  readonly field: Field;
  readonly value: Answer | null;
}

/** Of every answer that is no success. */
export interface Refusal {
  readonly detail: string;
}

/** Characters of an annotator's name. */
export const MAX_NAME_LENGTH = 100;
