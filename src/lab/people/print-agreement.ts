import { SCALES } from '../../contract/index.ts';
import { cellText, printTable } from '../report/report.ts';
import {
  type Agreement,
  COVERAGES,
  type CoverageAgreement,
  FIGURES,
  type FieldAgreement,
  type FigureName,
  type TaskAgreement,
} from './agreement.ts';
import { isGraded } from './labels.ts';

const NAMES = Object.keys(FIGURES) as FigureName[];

/** A table of all raters by the figures that any of them has, then the table of counts of each pair. */
function printAgreement(title: string, scale: readonly string[], rows: readonly Agreement[]): string {
  const shown = NAMES.filter((name) => rows.some(({ figures }) => figures[name] !== undefined));
  const table = printTable({
    title,
    heads: ['raters', 'items', ...shown.map((name) => FIGURES[name])],
    rows: rows.map(({ raters, items, figures }) => [
      raters,
      items,
      ...shown.map((name) => {
        const estimate = figures[name];
        return estimate === undefined ? '' : { estimate, digits: 3, expected: items };
      }),
    ]),
  });
  const counts = rows.flatMap(({ raters, items, confusion }) => {
    if (confusion === null || items === 0) return [];
    const cells = confusion.map((row, level) => [scale[level], ...row]);
    return [printTable({ title: `counts of ${raters}, the first in rows`, heads: ['', ...scale], rows: cells })];
  });
  return [table, ...counts].join('\n\n');
}

export function printFieldAgreement({ field, items, annotators, labels, answers, meanLevel, rows }: FieldAgreement) {
  const given = SCALES[field].map((answer, place) => `${answer} ${answers[place]}`);
  // Ratings start at 1.
  const [value, low, high] = [meanLevel.value, meanLevel.low, meanLevel.high].map((level) =>
    level === null ? null : level + 1,
  );
  const mean = cellText({ estimate: { ...meanLevel, value, low, high }, digits: 2 });
  const level = isGraded(field) ? `; mean level of ${answers.length}: ${mean}` : '';
  const about = `labels: ${labels}; items: ${items}; annotators: ${annotators.length} (${annotators.join(', ')})`;
  return printAgreement(`${field}\n${about}\nanswers: ${given.join(', ')}${level}`, SCALES[field], rows);
}

export function printTaskAgreement(agreement: TaskAgreement): string {
  const { field, items, records } = agreement;
  return printAgreement(`${field}: ${items} items of ${records} records`, SCALES[field], [agreement]);
}

export function printCoverageAgreement({ summaries, rows }: CoverageAgreement): string {
  const title = `${rows[0].items} insights of ${summaries} summaries; 95% intervals by drawing summaries`;
  return printAgreement(title, COVERAGES, rows);
}
