import type { Size } from './options.ts';

/** Most points and words of a selection of size `auto`; null for no bound, and for the expected size of the DPP. */
export interface AutoSize {
  readonly points: number | null;
  readonly words: number | null;
  /** Whether what depends numerically on the picks fills the room that is left, the most relevant first; not where absent. */
  readonly fills?: boolean | undefined;
}

interface ResolvedSize {
  readonly limit: number;
  readonly fits: (item: number, picked: readonly number[]) => boolean;
}

/**
 * Turns a size into a limit and a word budget. `auto` is bounded by points and words; where no number of points is known, it
 * is the expected size of the DPP, at least 1. No size (null) sets no bound.
 *
 * @param words of each item
 * @param auto bounds of an `auto` selection
 * @param expectedSize of the DPP; asked for only where it is needed
 */
export async function resolveSize(
  size: Size | null,
  words: Int32Array,
  auto: AutoSize,
  expectedSize: () => Promise<number>,
): Promise<ResolvedSize> {
  const within =
    (budget: number) =>
    (item: number, picked: readonly number[]): boolean =>
      picked.length === 0 || picked.reduce((sum, i) => sum + words[i], words[item]) <= budget;
  const always = (): boolean => true;
  if (size === null) return { limit: Number.POSITIVE_INFINITY, fits: always };
  if (size === 'auto') {
    const limit = auto.points ?? Math.max(1, Math.round(await expectedSize()));
    return { limit, fits: auto.words === null ? always : within(auto.words) };
  }
  return 'keyPoints' in size
    ? { limit: size.keyPoints, fits: always }
    : { limit: Number.POSITIVE_INFINITY, fits: within(size.words) };
}
