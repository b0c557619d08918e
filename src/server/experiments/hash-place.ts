/** How many places there are: neither shares of traffic nor weights can be told apart more finely. */
export const PLACES = 10_000;

/**
 * The place of a value, in [0, 1), in steps of 1 / 10,000: GrowthBook's hash version 2, which its SDKs share
 * (docs.growthbook.io/lib/build-your-own, "hash"). FNV-1a of 32 bits twice, the second time over the digits of the first, without which
 * the last bits of values that end alike would hang together. Over UTF-16 units, as in its JavaScript SDK.
 */
export function hashPlace(seed: string, value: string): number {
  return (fnv32a(String(fnv32a(seed + value))) % PLACES) / PLACES;
}

/** FNV-1a, but over UTF-16 units and not bytes. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
