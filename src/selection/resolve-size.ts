import type { Size } from './options.ts';

export interface ResolvedSize {
  readonly limit: number;
  readonly fits: (item: number, picked: readonly number[]) => boolean;
}

/**
 * Turns a size into a limit and a word budget. `auto` is the expected size of the DPP, at least 1, bounded by what `maxWords`
 * holds; no size (null) sets no bound.
 *
 * @param words of each item
 * @param maxWords bound of an `auto` selection; null for none
 * @param expectedSize of the DPP; asked for `auto` only
 */
export async function resolveSize(
  size: Size | null,
  words: Int32Array,
  maxWords: number | null,
  expectedSize: () => Promise<number>,
): Promise<ResolvedSize> {
  const within =
    (budget: number) =>
    (item: number, picked: readonly number[]): boolean =>
      picked.length === 0 || picked.reduce((sum, i) => sum + words[i], words[item]) <= budget;
  const always = (): boolean => true;
  if (size === null) return { limit: Number.POSITIVE_INFINITY, fits: always };
  if (size === 'auto') {
    const limit = Math.max(1, Math.round(await expectedSize()));
    return { limit, fits: maxWords === null ? always : within(maxWords) };
  }
  return 'keyPoints' in size
    ? { limit: size.keyPoints, fits: always }
    : { limit: Number.POSITIVE_INFINITY, fits: within(size.words) };
}
