/**
 * The value that stands at a place of the sorted list, found without sorting all of it (Hoare's quickselect, 1961; the middle of three
 * parts the list). The list is reordered.
 *
 * @param values no NaN among them
 * @param place from 0, within the list
 */
export function nthSmallest(values: Float32Array | Float64Array, place: number): number {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const pivot = middleOf(values[from], values[(from + to) >> 1], values[to]);
    let low = from;
    let high = to;
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const held = values[low];
      values[low++] = values[high];
      values[high--] = held;
    }
    if (place <= high) to = high;
    else if (place >= low) from = low;
    else return values[place];
  }
  return values[place];
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
