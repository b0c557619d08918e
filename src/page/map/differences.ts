/** How a selection differs from the digest's own. */
export interface Differences {
  readonly added: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  /** How many are in both. */
  readonly kept: number;
}

/**
 * @param own ids that the digest's own options pick
 * @param picks ids that are picked
 */
export function differences(own: ReadonlySet<string>, picks: Iterable<string>): Differences {
  const picked = new Set(picks);
  const added = new Set([...picked].filter((id) => !own.has(id)));
  const gone = new Set([...own].filter((id) => !picked.has(id)));
  return { added, gone, kept: picked.size - added.size };
}

/** The same in words. */
export function differencesSentence({ added, gone, kept }: Differences): string {
  if (added.size === 0 && gone.size === 0) return 'The same key points as in the digest.';
  return `Against the digest: ${added.size} added, ${gone.size} gone, ${kept} as before.`;
}
