import Papa from 'papaparse';
import { markupText } from './markup-text.ts';
import { tableMarkup } from './table-markup.ts';

const DELIMITERS = [',', ';', '\t', '|'];

const NAME = /^[^\p{N}]*\p{L}/u;
/** By which Excel tells itself what divides fields. */
const SEPARATOR_LINE = /^sep=.\n/i;

/** The text of a CSV or TSV file as a table in Markdown, under its first line if that names columns. */
export function readCsv(text: string): string {
  // Lines that end differently would confuse the parser.
  const lines = text.replace(/\r\n?/g, '\n').replace(SEPARATOR_LINE, '');
  const options = { delimitersToGuess: DELIMITERS, skipEmptyLines: 'greedy' } as const;
  const parsed = Papa.parse<string[]>(lines, options);
  // One mark that is not closed would swallow all lines below it.
  const isOpen = parsed.errors.some(({ code }) => code === 'MissingQuotes');
  const { data } = isOpen ? Papa.parse<string[]>(lines, { ...options, quoteChar: '\u0000' }) : parsed;
  const width = data.reduce((most, { length }) => Math.max(most, length), 0);
  const rows = data.map((fields, n) => {
    const texts = Array.from({ length: width }, (_, column) => (fields[column] ?? '').replace(/\s+/g, ' ').trim());
    const named = texts.slice(0, texts.findLastIndex((each) => each !== '') + 1);
    return { texts, isMarked: n === 0 && named.length > width / 2 && named.every((each) => NAME.test(each)) };
  });
  return markupText(tableMarkup(rows));
}
