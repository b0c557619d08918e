import { groups } from '../../text/index.ts';

/** Parts a list of texts into runs of at most so many texts, and so many characters unless one text alone has more. */
export function inBatches(texts: readonly string[], maxTexts: number, maxCharacters: number): string[][] {
  const batches = groups(texts, maxCharacters, (text, batch) =>
    batch.length === maxTexts ? Number.POSITIVE_INFINITY : text.length,
  );
  return [...batches];
}
