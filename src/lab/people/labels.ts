import { z } from 'zod';
import { type Answer, type Field, SCALES, text } from '../../contract/index.ts';

export const FIELDS: readonly Field[] = [
  ...(['stated', 'helps', 'attested', 'importance', 'answerable', 'correct'] as const),
  ...(['entailed', 'reported', 'outcome', 'rating', 'distinct', 'covered'] as const),
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
export const annotatorSchema = text(100)
  .trim()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'must be a name without control characters');

const decided = {
  item: text(200).min(1),
  field: z.enum(FIELDS),
  value: z.enum(FIELDS.flatMap((field): readonly Answer[] => SCALES[field])),
};

function checkScale(
  { field, value }: { readonly field: Field; readonly value: string | null },
  context: z.core.$RefinementCtx,
): void {
  if (value === null || levelOf(field, value) >= 0) return;
  context.addIssue({ code: 'custom', path: ['value'], message: `must be ${SCALES[field].join(' or ')}` });
}

export const decidedSchema = z.strictObject(decided).superRefine(checkScale);

/** A line of a label file; for an item, person and field the last decision counts. */
export const labelSchema = z
  .strictObject({
    ...{ ...decided, annotator: annotatorSchema, at: z.iso.datetime({ offset: true }) },
    /** Null retracts an earlier decision. */
    value: decided.value.nullable(),
  })
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
