import { z } from 'zod';

const DIGITS = /\d{1,6}/;

/** A whole number, also as text: "3", or "point 3". */
export const readNumber = z.union([
  z.int(),
  z
    .string()
    .regex(DIGITS)
    .transform((text) => Number(DIGITS.exec(text)?.[0])),
]);

/** A list read item by item: one that is none is passed over, and does not cost the others; a list of nothing else is none. */
export function readItems<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  return z.array(z.unknown()).transform((given, context) => {
    const read = given.flatMap((each) => {
      const { success, data } = item.safeParse(each);
      return success ? [data] : [];
    });
    if (given.length > 0 && read.length === 0) {
      context.addIssue({ code: 'custom', message: 'no item of the list has the form' });
    }
    return read;
  });
}
