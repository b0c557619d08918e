import { SCALES } from '../../contract/index.ts';
import { counted } from '../../text/index.ts';
import { type Chart, cellText, type Table, tableOf } from '../report/report.ts';
import {
  type Agreement,
  COVERAGES,
  type CoverageAgreement,
  type ErrorCurve,
  FIGURES,
  type FieldAgreement,
  type FigureName,
  type TaskAgreement,
  THRESHOLDS,
} from './agreement.ts';
import { isGraded } from './labels.ts';

const NAMES = Object.keys(FIGURES) as FigureName[];

/** A table of all raters by the figures that any of them has, then the table of counts of each pair. */
function agreementTables(title: string, scale: readonly string[], rows: readonly Agreement[]): Table[] {
  const shown = NAMES.filter((name) => rows.some(({ figures }) => figures[name] !== undefined));
  const table = tableOf(title, rows, [
    ['raters', ({ raters }) => raters],
    ['items', ({ items }) => items],
    ...shown.map((name) => {
      const cell = ({ items, figures: { [name]: estimate } }: Agreement) =>
        estimate === undefined ? '' : { estimate, digits: 3, expected: items };
      return [FIGURES[name], cell] as const;
    }),
  ]);
  const counts = rows.flatMap(({ raters, items, confusion }): Table[] => {
    if (confusion === null || items === 0) return [];
    const cells = confusion.map((row, level) => [scale[level], ...row]);
    return [
      { kind: 'table', title: `counts of ${raters}, the first in rows`, heads: ['answer', ...scale], rows: cells },
    ];
  });
  return [table, ...counts];
}

export function fieldTables(agreement: FieldAgreement): Table[] {
  const { field, items, annotators, labels, answers, meanLevel, rows } = agreement;
  const given = SCALES[field].map((answer, place) => `${answer} ${answers[place]}`);
  // Ratings start at 1.
  const [value, low, high] = [meanLevel.value, meanLevel.low, meanLevel.high].map((level) =>
    level === null ? null : level + 1,
  );
  const mean = cellText({ estimate: { ...meanLevel, value, low, high }, digits: 2 });
  const level = isGraded(field) ? `; mean level of ${answers.length}: ${mean}` : '';
  const about = `labels: ${labels}; items: ${items}; annotators: ${annotators.length} (${annotators.join(', ')})`;
  return agreementTables(`${field}\n${about}\nanswers: ${given.join(', ')}${level}`, SCALES[field], rows);
}

export function taskTables(agreement: TaskAgreement): Table[] {
  const { field, items, records } = agreement;
  return agreementTables(`${field}: ${counted(items, 'item')} of ${counted(records, 'record')}`, SCALES[field], [
    agreement,
  ]);
}

export function coverageTables({ summaries, rows }: CoverageAgreement): Table[] {
  const title = `${counted(rows[0].items, 'insight')} of ${counted(summaries, 'summary', 'summaries')}; 95% intervals by drawing summaries`;
  return agreementTables(title, COVERAGES, rows);
}

/** False positives and misses of judges by the score from which they count as yes. */
export function curveParts(curves: readonly ErrorCurve[]): (Table | Chart)[] {
  const kinds = [
    ['falsePositives', 'false positives, % of what people deny, by the score that counts as yes'],
    ['misses', 'misses, % of what people affirm, by the score that counts as yes'],
  ] as const;
  return kinds.flatMap(([kind, title]): (Table | Chart)[] => {
    const lines = curves.map(({ judge, [kind]: points }) => ({
      name: judge,
      values: points.map(({ value }) => value),
    }));
    const places = THRESHOLDS.map((threshold) => threshold.toFixed(1));
    return [
      { kind: 'lines', title, x: 'score that counts as yes', places, lines },
      tableOf(title, curves, [
        ['judge', ({ judge }) => judge],
        ...places.map((threshold, place) => {
          return [threshold, (curve: ErrorCurve) => ({ estimate: curve[kind][place], digits: 0 })] as const;
        }),
      ]),
    ];
  });
}
