import { csvLine } from '../../client/index.ts';
import { SCALES } from '../../contract/index.ts';
import { beginning } from '../../text/index.ts';
import type { RecordProblem } from '../check-records.ts';
import { csvLines } from '../report/report.ts';
import type { AnnotationItem } from './items.ts';
import { type Decision, FIELDS, type Label, levelOf } from './labels.ts';

const HEADS = ['item', 'kind', 'question asked', 'text', 'statement', 'field', 'answers', 'answer'] as const;
/** A cell of a spreadsheet holds 32,767 characters. */
const MAX_TEXT = 30_000;

/** A sheet (CSV) to label away from the page: a line for each item and field, with what is decided already. */
export function labelSheet(items: readonly AnnotationItem[], decided: readonly Decision[]): string {
  const answers = new Map(decided.map(({ item, field, value }) => [`${field} ${item}`, value]));
  const lines = items.flatMap(({ id, kind, query, statement, document, spans, fields }) => {
    const words = spans.map(({ start, end }) => document.text.slice(start, end)).join(' […] ');
    const text = beginning(words || document.text, MAX_TEXT);
    return fields.map((field) => {
      const answer = answers.get(`${field} ${id}`) ?? '';
      return [id, kind, query ?? '', text, statement, field, SCALES[field].join(' / '), answer];
    });
  });
  return [HEADS, ...lines].map(csvLine).join('');
}

/**
 * The answers of a filled sheet, of whatever columns it has besides `item`, `field` and `answer`. Lines without an answer are skipped.
 * @param by annotator and time of the labels
 */
export function labelsOfSheet(
  { path, text }: { readonly path: string; readonly text: string },
  items: readonly AnnotationItem[],
  by: Pick<Label, 'annotator' | 'at'>,
): { readonly labels: readonly Label[]; readonly problems: readonly RecordProblem[] } {
  const [heads = [], ...lines] = csvLines(text);
  const [item, field, answer] = ['item', 'field', 'answer'].map((head) => heads.indexOf(head));
  const problems: RecordProblem[] = [];
  const labels = lines.flatMap((line): Label[] => {
    const value = line[answer]?.trim() ?? '';
    if (value === '') return [];
    const asked = items.find(({ id }) => id === line[item]);
    const found = FIELDS.find((each) => each === line[field] && asked?.fields.includes(each));
    const given = found && SCALES[found][levelOf(found, value)];
    const problem = (pointer: string, detail: string) => {
      problems.push({ where: `${path} item "${line[item] ?? ''}", ${line[field] ?? ''}`, pointer, detail });
      return [];
    };
    if (asked === undefined) return problem('/item', 'is no item of this file');
    if (found === undefined) return problem('/field', 'is not asked of this item');
    if (given === undefined) return problem('/answer', `must be ${SCALES[found].join(' or ')}`);
    return [{ item: asked.id, field: found, value: given, ...by }];
  });
  if (Math.min(item, field, answer) < 0) {
    problems.unshift({ where: path, pointer: '', detail: 'needs the columns item, field and answer' });
  }
  return { labels, problems };
}
