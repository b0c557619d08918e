/** Texts that are taken to be there beside those of the request, so that two texts alone do not make what they share worthless. */
const UNSEEN = 10;

/**
 * Squared inverse document frequencies, log((n + 10) / (df + 1))^2 over n texts: with the square, words of the topic
 * itself weigh little.
 *
 * @param texts the words or tokens of each
 */
export function rarity<T>(texts: readonly Iterable<T>[]): (item: T) => number {
  const frequency = new Map<T, number>();
  for (const text of texts) for (const item of new Set(text)) frequency.set(item, (frequency.get(item) ?? 0) + 1);
  return (item) => Math.log((texts.length + UNSEEN) / ((frequency.get(item) ?? 0) + 1)) ** 2;
}
