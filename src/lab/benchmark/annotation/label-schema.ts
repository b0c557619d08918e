import { z } from 'zod';
import { MAX_NAME_LENGTH, text } from '../../../contract/index.ts';
import { FIELDS, type Label, levelOf, SCALES } from '../../annotation/label.ts';

/** What a person goes by; control characters would tear what is printed. */
export const annotatorSchema = text(MAX_NAME_LENGTH)
  .trim()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'must be a name without control characters');

const decision = {
  item: text(200).min(1),
  annotator: annotatorSchema,
  field: z.enum(FIELDS),
  value: z.enum([...SCALES.stated, ...SCALES.helps]).nullable(),
};

/** A decision as the page sends it. */
export const newLabelSchema = z.strictObject(decision).superRefine(checkScale);

/** A line of a file of labels. */
export const labelSchema: z.ZodType<Label> = z
  .strictObject({ ...decision, at: z.iso.datetime({ offset: true }) })
  .superRefine(checkScale);

function checkScale({ field, value }: Pick<Label, 'field' | 'value'>, context: z.RefinementCtx): void {
  if (value === null || levelOf(field, value) >= 0) return;
  context.addIssue({ code: 'custom', path: ['value'], message: `must be ${SCALES[field].join(', ')} or null` });
}
