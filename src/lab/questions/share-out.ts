/**
 * Shares a number of things out over parts of these sizes, in proportion and spread evenly: of more parts than things
 * some get none, at even distances. The shares sum to the number.
 *
 * @param sizes positive
 */
export function shareOut(count: number, sizes: readonly number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let [before, size] = [0, 0];
  return sizes.map((own) => {
    size += own;
    const upTo = Math.round((count * size) / total);
    const share = upTo - before;
    before = upTo;
    return share;
  });
}
