import Papa from 'papaparse';
import { markupText } from './markup-text.ts';
import { tableMarkup } from './table-markup.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** The text of a CSV or TSV file as a table in Markdown, under its first line if that names columns. */
export function readCsv(text: string): string {
  // Lines that end differently would confuse the parser.
  const lines = text.replace(/\r\n?/g, '\n');
  const { data } = Papa.parse<string[]>(lines, { delimitersToGuess: DELIMITERS, skipEmptyLines: 'greedy' });
  const width = data.reduce((most, { length }) => Math.max(most, length), 0);
  const rows = data.map((fields, n) => {
    const texts = Array.from({ length: width }, (_, column) => (fields[column] ?? '').replace(/\s+/g, ' ').trim());
    return { texts, isMarked: n === 0 && texts.every((each) => /^[^\p{N}]*\p{L}/u.test(each)) };
  });
  return markupText(tableMarkup(rows));
}
