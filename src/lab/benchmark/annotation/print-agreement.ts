import type { FieldAgreement, PairAgreement } from '../../agreement/agreement-of.ts';
import { type Field, SCALES } from '../../annotation/label.ts';
import type { Estimate } from '../../bulk/estimate.ts';
import { printEstimate } from '../../cli/print-estimate.ts';
import { textTable } from '../../cli/text-table.ts';

const TITLES: Readonly<Record<Field, string>> = {
  stated: 'stated: do the highlighted words state the key point?',
  helps: 'helps: does the key point help to answer the query?',
};

/** How far people agree, as text for a terminal; intervals are 95% bootstrap intervals. */
export function printFieldAgreements(fields: readonly FieldAgreement[]): string {
  return fields.map(printField).join('\n\n\n');
}

function printField({ field, items, annotators, labels, ...figures }: FieldAgreement): string {
  const { agreement, freeMarginal, pairs, withScores } = figures;
  const sections = [
    `${TITLES[field]}\nlabels: ${labels}; items: ${items}; annotators: ${annotators.length} (${annotators.join(', ')})`,
    textTable(
      ['all annotators', 'items', 'figure'],
      [
        ['agreement, %', String(agreement.n), printEstimate(percent(agreement), 1)],
        ['free-marginal kappa', String(freeMarginal.n), printEstimate(freeMarginal, 3)],
      ],
    ),
  ];
  if (pairs.length > 0) sections.push(printPairs(pairs));
  sections.push(...pairs.filter(({ items }) => items > 0).map((pair) => printConfusion(field, pair)));
  if (withScores !== null) {
    const { pearson, spearman } = withScores;
    const row = ['mean level', String(pearson.n), printEstimate(pearson, 3), printEstimate(spearman, 3)];
    sections.push(textTable(["with the model's usefulness", 'items', 'Pearson', 'Spearman'], [row]));
  }
  return sections.join('\n\n');
}

function printPairs(pairs: readonly PairAgreement[]): string {
  const isOrdered = pairs.some(({ weighted }) => weighted !== null);
  const head = ['pair', 'items', 'agreement, %', "Cohen's kappa", ...(isOrdered ? ['linear weights'] : [])];
  const rows = pairs.map(({ annotators, items, agreement, kappa, weighted }) => [
    annotators.join(' / '),
    String(items),
    printEstimate(percent(agreement), 1),
    printEstimate(kappa, 3),
    ...(weighted === null ? [] : [printEstimate(weighted, 3)]),
  ]);
  return textTable(head, rows);
}

function printConfusion(field: Field, { annotators: [first, second], confusion }: PairAgreement): string {
  const scale = SCALES[field];
  return textTable(
    [`${first} (rows) / ${second}`, ...scale],
    confusion.map((row, level) => [scale[level], ...row.map(String)]),
  );
}

function percent({ value, low, high, n }: Estimate): Estimate {
  const times = (share: number | null) => (share === null ? null : 100 * share);
  return { value: times(value), low: times(low), high: times(high), n };
}
