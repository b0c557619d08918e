import { fixed } from '../../evaluation/index.ts';
import type { Estimate } from '../bulk/estimate.ts';

/**
 * Rows of text in columns.
 *
 * @param names columns at the left that hold names, which begin at the left; the others hold figures, which end at the right
 */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[], names = 1): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column]))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const fill = ' '.repeat(widths[column] - widthOf(cell));
        return column < names ? cell + fill : fill + cell;
      })
      .join('   ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}

/** Characters, as a terminal counts them: near enough for names. */
function widthOf(text: string): number {
  return [...text].length;
}

/**
 * A figure and its interval: `54.6 [50.1, 59.0]`; a dash where there is none.
 *
 * @param digits after the point
 * @param expected values that the table's row promises; a figure that rests on fewer says so
 */
export function printEstimate({ value, low, high, n }: Estimate, digits: number, expected = n): string {
  if (value === null) return '–';
  const interval = low === null || high === null ? '' : ` [${fixed(low, digits)}, ${fixed(high, digits)}]`;
  return `${fixed(value, digits)}${interval}${n === expected ? '' : ` n=${n}`}`;
}
