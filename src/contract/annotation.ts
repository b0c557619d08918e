const NO_YES = ['no', 'yes'] as const;

/** Fields with their answers in ascending order (key points: Qi et al. 2024); outcomes are unordered. */
export const SCALES = {
  /** Whether the highlighted words state a key point, and whether it helps to answer the query. */
  stated: NO_YES,
  helps: ['disagree', 'neutral', 'agree'],
  /** Whether a document attests the answer of a nugget, and how much a good report needs the nugget. */
  attested: NO_YES,
  importance: ['unwanted', 'okay', 'vital'],
  /** Whether a text answers a question, and answers it as given. */
  answerable: NO_YES,
  correct: NO_YES,
  entailed: NO_YES,
  /** Whether a sentence reports a nugget, and its outcome in ARGUE. */
  reported: NO_YES,
  outcome: ['1', '2', '3', '4', '5', '6', '7', '8'],
  rating: ['1', '2', '3', '4', '5'],
  /** How many of the intents of a collection differ. */
  distinct: ['1', '2', '3', '4', '5'],
  /** How far the bullets of a summary cover an insight. */
  covered: ['no', 'partly', 'fully'],
} as const;
export type Field = keyof typeof SCALES;
export type Answer = (typeof SCALES)[Field][number];

export type ItemKind = 'key point' | 'nugget' | 'question' | 'claim' | 'sentence' | 'intent' | 'intents' | 'insight';

export interface Session {
  readonly set: string;
  readonly annotator: string;
  readonly items: readonly Item[];
  /** What the annotator has decided so far. */
  readonly decided: readonly Decided[];
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

/** `POST /api/labels`: 204 once it is on disk. */
export interface Decided {
  readonly item: string;
  readonly field: Field;
  readonly value: Answer;
}

export interface Refusal {
  readonly detail: string;
}
