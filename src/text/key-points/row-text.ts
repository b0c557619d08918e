import type { Span } from '../documents/document.ts';
import type { Sentence } from '../documents/sentences.ts';
import { tidy } from './tidy.ts';

/** A row of a table as a line that reads alone: "Item: chair; Limit: £250". */
export function rowText(view: string, { cells, headers }: NonNullable<Sentence['row']>): string {
  const textOf = (span: Span | undefined) => (span ? tidy(view.slice(span.start, span.end)) : '');
  const filled = cells.flatMap((cell, n) => {
    const [header, value] = [textOf(headers[n]).replace(/\s*[:：]$/u, ''), textOf(cell)];
    return value === '' ? [] : [{ header, value }];
  });
  const [first, second] = filled;
  if (headers.length === 0 && first && second && filled.length === 2) return `${first.value}: ${second.value}`;
  return filled.map(({ header, value }) => (header === '' ? value : `${header}: ${value}`)).join('; ');
}
