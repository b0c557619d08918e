import { z } from 'zod';
import { findLoneSurrogate } from '../../text/index.ts';

/** Text that can be given back as it stands; it may be empty. */
export const text = (most: number) =>
  z
    .string()
    .max(most)
    .superRefine((value, context) => {
      const offset = findLoneSurrogate(value);
      if (offset === undefined) return;
      context.addIssue({ code: 'custom', message: `holds half of a surrogate pair at offset ${offset}` });
    });

/** Text that says something. */
const words = (most: number) => text(most).refine((value) => value.trim() !== '', 'holds no text');

// As long as a benchmark set and a request to score may hold them.
export const id = text(200).min(1);
export const title = text(1000);
export const intent = words(10_000);
export const statement = words(4_000);
export const longStatement = words(20_000);
export const reference = words(200_000);
/** Characters of a document. */
export const MAX_TEXT = 2_000_000;
export const documentText = words(MAX_TEXT);

/** A place, from 0. */
export const place = z.int().min(0);
