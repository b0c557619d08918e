import { outputWords } from './output-words.ts';
import type { EvaluationRecord } from './record.ts';

/** What a table can be broken down by, beside the system. */
export const DIMENSIONS = ['domain', 'questionKind', 'order', 'inputWords', 'outputWords'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/**
 * For each record its value of a dimension, null where it has none; with the values there are, in the order of a table.
 * Numbers of words come in three bins that hold about as many records each; equal numbers share one.
 */
export function valuesOf(
  records: readonly EvaluationRecord[],
  dimension: Dimension,
): { readonly values: readonly (string | null)[]; readonly inOrder: readonly (string | null)[] } {
  if (dimension === 'inputWords') return binned(records.map(({ inputWords }) => inputWords ?? null));
  if (dimension === 'outputWords') return binned(records.map(({ evaluation }) => outputWords(evaluation)));
  const values = records.map((record) => record[dimension] ?? null);
  const named = [...new Set(values)].filter((value) => value !== null).sort((a, b) => (a < b ? -1 : 1));
  return { values, inOrder: values.includes(null) ? [...named, null] : named };
}

function binned(numbers: readonly (number | null)[]) {
  const sorted = numbers.filter((each) => each !== null).sort((a, b) => a - b);
  const bounds = [1, 2, 3].map((third) => sorted[Math.ceil((third * sorted.length) / 3) - 1]);
  const bins = [...new Set(bounds)].map((most, index, all) => {
    const least = index === 0 ? sorted[0] : sorted.find((each) => each > all[index - 1]);
    return { most, label: least === most ? `${most} words` : `${least} to ${most} words` };
  });
  const values = numbers.map((each) => (each === null ? null : (bins.find(({ most }) => each <= most)?.label ?? null)));
  const labels = sorted.length === 0 ? [] : bins.map(({ label }) => label);
  return { values, inOrder: values.includes(null) ? [...labels, null] : labels };
}
