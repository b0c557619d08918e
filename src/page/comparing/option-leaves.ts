import type { DigestOptions } from '../digest-options.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An option, by its path from the options down. */
interface OptionLeaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Objects that are one value, as experiments have it (`docs/experiments.md`). */
const WHOLE = /^(?:selection\/size|selection\/coverage\/threshold|engine\/stages\/[^/]+)$/;

/** Everything that is set; null sets, undefined does not. */
export function leavesOf(fields: Fields, above: readonly string[] = []): OptionLeaf[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = [...above, name];
    if (value === undefined) return [];
    const isBranch =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !WHOLE.test(path.join('/'));
    return isBranch ? leavesOf(value as Fields, path) : [{ path, value }]; // an object that is no list
  });
}

/** What two sets of options have in common, and what either sets that the other does not set to the same. */
export function partOptions(
  left: DigestOptions,
  right: DigestOptions,
): { readonly left: DigestOptions; readonly right: DigestOptions; readonly common: DigestOptions } {
  const [ofLeft, ofRight] = [leavesOf(left), leavesOf(right)];
  const isIn = (leaves: readonly OptionLeaf[], leaf: OptionLeaf): boolean =>
    leaves.some((other) => nameOf(other) === nameOf(leaf) && sameValue(other.value, leaf.value));
  return {
    left: optionsOf(ofLeft.filter((leaf) => !isIn(ofRight, leaf))),
    right: optionsOf(ofRight.filter((leaf) => !isIn(ofLeft, leaf))),
    common: optionsOf(ofLeft.filter((leaf) => isIn(ofRight, leaf))),
  };
}

/** Both together; the second goes before. */
export function joinOptions(one: DigestOptions, other: DigestOptions): DigestOptions {
  return optionsOf([...leavesOf(one), ...leavesOf(other)]);
}

export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

function nameOf({ path }: OptionLeaf): string {
  return path.join('/');
}

function optionsOf(leaves: readonly OptionLeaf[]): DigestOptions {
  const options: Record<string, unknown> = {};
  for (const { path, value } of leaves) {
    let place = options;
    for (const name of path.slice(0, -1)) {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>; // made in the line before, or by an earlier leaf beside it
    }
    place[path[path.length - 1]] = value;
  }
  return options;
}

/** With the names of objects in order. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, canonical(each)]);
}
