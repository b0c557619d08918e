/** What a selection is worth for where it comes from, growing point by point. */
interface SourcesState {
  /** sum_d sqrt(sum of q over what is taken from d). */
  readonly value: number;
  /** What point i would add to `value`. */
  gain(i: number): number;
  add(i: number): void;
  /** The same selection, to be grown on its own. */
  copy(): SourcesState;
}

/**
 * Among points of the same quality, the next source is worth more than the next sentence of the same one: the concave
 * function over a partition of Lin & Bilmes (ACL 2011, eq. 4), sum over documents d of sqrt(sum of q_i over the points taken
 * from d). Monotone and submodular.
 *
 * @param documents document number of each point
 * @param quality q of each point, positive
 */
export function sources(documents: ArrayLike<number>, quality: Float64Array): SourcesState {
  const count = Array.from(documents).reduce((most, document) => Math.max(most, document + 1), 0);
  return grow(documents, quality, new Float64Array(count), 0);
}

function grow(documents: ArrayLike<number>, quality: Float64Array, taken: Float64Array, start: number): SourcesState {
  let value = start;
  const gain = (i: number): number => {
    const before = taken[documents[i]];
    return Math.sqrt(before + quality[i]) - Math.sqrt(before);
  };
  return {
    get value() {
      return value;
    },
    gain,
    add(i) {
      value += gain(i);
      taken[documents[i]] += quality[i];
    },
    copy: () => grow(documents, quality, taken.slice(), value),
  };
}
