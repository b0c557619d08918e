import type { Field as AnnotationField } from '../../contract/index.ts';

/**
 * What people are asked: of a key point whether the highlighted words state it and whether it helps to answer the query; of a nugget
 * whether the document attests its answer and how much it is wanted; of a question whether a text answers it, and answers it as given; of
 * a claim whether a text entails it; of a sentence of a report whether it reports a nugget, its outcome in ARGUE; of an intent how likely
 * readers ask it.
 */
export const FIELDS = [
  'stated',
  'helps',
  'attested',
  'importance',
  'answerable',
  'correct',
  'entailed',
  'reported',
  'outcome',
  'rating',
] as const satisfies readonly AnnotationField[];
export type Field = (typeof FIELDS)[number];

const NO_YES = ['no', 'yes'] as const;

/** The answers there are, the lowest first (Qi et al. 2024 for key points); outcomes have no order. */
export const SCALES = {
  stated: NO_YES,
  helps: ['disagree', 'neutral', 'agree'],
  attested: NO_YES,
  importance: ['unwanted', 'okay', 'vital'],
  answerable: NO_YES,
  correct: NO_YES,
  entailed: NO_YES,
  reported: NO_YES,
  outcome: ['1', '2', '3', '4', '5', '6', '7', '8'],
  rating: ['1', '2', '3', '4', '5'],
} as const satisfies Readonly<Record<Field, readonly string[]>>;

export type Answer = (typeof SCALES)[Field][number];

/** One decision of one person. Of several for the same item, person and field the last one counts. */
export interface Label {
  /** Id of an annotation item. */
  readonly item: string;
  readonly annotator: string;
  readonly field: Field;
  /** Null where an earlier decision is taken back. */
  readonly value: Answer | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A decision that counts. */
export type Decision = Label & { readonly value: Answer };

/** Whether the answers of a field have an order of more than two, so that one disagreement can be larger than another. */
export function isGraded(field: Field): boolean {
  return SCALES[field].length > 2 && field !== 'outcome';
}

/** Place of an answer on its scale, from 0; -1 where it is not on it. */
export function levelOf(field: Field, value: string): number {
  const scale: readonly string[] = SCALES[field];
  return scale.indexOf(value);
}

/** The decisions that count, the last by its time, in the order in which their items first come. */
export function decisionsOf(labels: readonly Label[]): Decision[] {
  const last = new Map<string, Label>();
  for (const label of labels) {
    const key = JSON.stringify([label.item, label.annotator, label.field]);
    const before = last.get(key);
    // Files come in any order; of one time the one that comes later counts.
    if (before === undefined || Date.parse(label.at) >= Date.parse(before.at)) last.set(key, label);
  }
  return [...last.values()].filter((label): label is Decision => label.value !== null);
}
