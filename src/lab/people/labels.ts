import { z } from 'zod';
import { type Field as AnnotationField, MAX_NAME_LENGTH, text } from '../../contract/index.ts';

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
} as const satisfies Readonly<Record<AnnotationField, readonly string[]>>;
export type Field = keyof typeof SCALES;
type Answer = (typeof SCALES)[Field][number];

export const FIELDS: readonly Field[] = [
  ...(['stated', 'helps', 'attested', 'importance', 'answerable', 'correct'] as const),
  ...(['entailed', 'reported', 'outcome', 'rating'] as const),
];

export function isGraded(field: Field): boolean {
  return SCALES[field].length > 2 && field !== 'outcome';
}

/** Place of an answer on its scale, from 0; -1 if absent. */
export function levelOf(field: Field, value: string): number {
  const scale: readonly string[] = SCALES[field];
  return scale.indexOf(value);
}

/** Excludes control characters, which would corrupt the output. */
export const annotatorSchema = text(MAX_NAME_LENGTH)
  .trim()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'must be a name without control characters');

const decision = {
  item: text(200).min(1),
  annotator: annotatorSchema,
  field: z.enum(FIELDS),
  /** Null retracts an earlier decision. */
  value: z.enum(FIELDS.flatMap((field): readonly Answer[] => SCALES[field])).nullable(),
};

function checkScale(
  { field, value }: { readonly field: Field; readonly value: string | null },
  context: z.core.$RefinementCtx,
): void {
  if (value === null || levelOf(field, value) >= 0) return;
  context.addIssue({ code: 'custom', path: ['value'], message: `must be ${SCALES[field].join(', ')} or null` });
}

export const newLabelSchema = z.strictObject(decision).superRefine(checkScale);

/** A line of a label file; for an item, person and field the last decision counts. */
export const labelSchema = z
  .strictObject({ ...decision, at: z.iso.datetime({ offset: true }) })
  .superRefine(checkScale);
export type Label = z.output<typeof labelSchema>;

export type Decision = Label & { readonly value: Answer };

export function decisionsOf(labels: readonly Label[]): Decision[] {
  const last = new Map<string, Label>();
  for (const label of labels) {
    const key = JSON.stringify([label.item, label.annotator, label.field]);
    const before = last.get(key);
    // Files come in any order; of equal times the later line counts.
    if (before === undefined || Date.parse(label.at) >= Date.parse(before.at)) last.set(key, label);
  }
  return [...last.values()].filter((label): label is Decision => label.value !== null);
}
