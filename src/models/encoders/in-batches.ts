import { groups } from '../../text/index.ts';

/** Parts a list of texts into runs of at most so many texts, and so many characters unless one text alone has more. */
export function inBatches(texts: readonly string[], mostTexts: number, mostCharacters: number): string[][] {
  const batches = groups(texts, mostCharacters, (text, batch) =>
    batch.length === mostTexts ? Number.POSITIVE_INFINITY : text.length,
  );
  return [...batches];
}
