import { DomUtils } from 'htmlparser2';
import { UnreadableFileError } from '../errors.ts';
import { markupText } from './markup-text.ts';
import { type Element, find, type Node, readArchive, relationsOf, takePart } from './office-archive.ts';
import { escapeMarkup, tableMarkup } from './table-markup.ts';

/** Of all sheets: cells, the empty ones among them included, and characters of their texts, as one text may stand in many cells. */
const MOST = { cells: 1_000_000, characters: 20_000_000 };
const TOO_LARGE = 'Its sheets have more than a million cells or 20 million characters; split it.';
const WORKBOOK = 'xl/workbook.xml';

/**
 * The text of a workbook (.xlsx): each sheet under its name as a table in Markdown. Dates are in ISO 8601, formulas by their stored value.
 * @throws UnreadableFileError
 */
export async function readXlsx(bytes: Uint8Array): Promise<string> {
  return readArchive(bytes, 'Excel workbook (.xlsx)', async (zip) => {
    const [workbook, related] = [await takePart(zip, WORKBOOK), await relationsOf(zip, WORKBOOK)];
    const partNamed = (type: string) => takePart(zip, [...related.values()].find((each) => each.type === type)?.path);
    const strings = find(await partNamed('sharedStrings'), 'si').map(textOf);
    const formats = formatsOf(await partNamed('styles'));
    const isSince1904 = find(workbook, 'workbookPr').some(({ attribs }) => /1|true/.test(attribs.date1904));
    const shown = (cell: Element): string => {
      const { t: type = 'n', s: style = '0' } = cell.attribs;
      const value = tidy(find(cell, 'v').map(DomUtils.textContent).join(''));
      if (type === 's') return strings[Number(value)] ?? '';
      if (type === 'inlineStr') return textOf(cell);
      if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
      if (type === 'e') return '';
      return type === 'n' && value !== ''
        ? numberText(Number(value), formats[Number(style)] ?? '', isSince1904)
        : value;
    };
    const parts: string[] = [];
    const left = { ...MOST };
    const take = (what: 'cells' | 'characters', count: number) => {
      left[what] -= count;
      if (left[what] < 0) throw new UnreadableFileError(TOO_LARGE);
    };
    for (const { attribs } of find(workbook, 'sheet')) {
      const sheet = find(await takePart(zip, related.get(attribs['r:id'])?.path), 'row');
      const rows = sheet.map((row) => textsOf(row, shown)).filter(({ size }) => size > 0);
      const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);
      take('cells', rows.length * columns.length);
      for (const row of rows) for (const text of row.values()) take('characters', text.length);
      const texts = rows.map((row) => columns.map((column) => row.get(column) ?? ''));
      if (rows.length > 0) parts.push(`<h2>${escapeMarkup(attribs.name)}</h2>${tableMarkup(texts)}`);
    }
    return markupText(parts.join(''));
  });
}

/** What is written, without phonetic hints. */
function textOf(element: Element): string {
  const texts = find(element, 't').filter(
    ({ parent }) => parent !== null && !/rPh$/.test('name' in parent ? parent.name : ''),
  );
  return tidy(texts.map(DomUtils.textContent).join(''));
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Texts of a row by column, from 0. A cell without a reference stands beside the one before. */
function textsOf(row: Element, shown: (cell: Element) => string): Map<number, string> {
  const texts = new Map<number, string>();
  let column = 0;
  for (const cell of find(row, 'c')) {
    const letters = /^[A-Z]{1,3}/.exec(cell.attribs.r ?? '')?.[0] ?? '';
    if (letters !== '') column = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
    else column++;
    const text = shown(cell);
    if (text !== '') texts.set(column, text);
  }
  return texts;
}

/** What Excel knows without being told: percentages, dates and times. */
const BUILT_IN = [
  [/^(?:9|10)$/, '%'],
  [/^1[4-7]$/, 'y'],
  [/^(?:1[89]|2[01]|4[57])$/, 'h'],
  [/^22$/, 'y h'],
  [/^46$/, '[h]'],
] as const;

/** Number formats by the style of a cell, without literal text and conditions, but with currency. */
function formatsOf(styles: Node[]): string[] {
  const own = new Map(find(styles, 'numFmt').map(({ attribs }) => [attribs.numFmtId, attribs.formatCode ?? '']));
  const literal = /\[\$([^\]-]*)[^\]]*\]|"([^"]*)"|\\.|\[(?!h|m)[^\]]*\]/gi;
  return find(find(styles, 'cellXfs'), 'xf').map(({ attribs: { numFmtId = '' } }) => {
    const code = own.get(numFmtId) ?? BUILT_IN.find(([id]) => id.test(numFmtId))?.[1] ?? '';
    return code
      .split(';')[0]
      .replace(literal, (_: string, sign = '', text = '') => /\p{Sc}/u.exec(sign + text)?.[0] ?? '');
  });
}

/** A number as its format means it: a date, a time, or with percent sign or currency. */
function numberText(value: number, format: string, isSince1904: boolean): string {
  const plain = (number: number) => String(Number(number.toPrecision(12)));
  if (/\[[hm]/i.test(format)) return `${plain(24 * value)} h`;
  const [hasDay, hasTime] = [/[yd]/i.test(format), /[hs]/i.test(format)];
  if (hasDay || hasTime) {
    // Excel counts from 1900 with a leap day that did not exist.
    const days = value - (isSince1904 ? 24_107 : value < 60 ? 25_568 : 25_569);
    const date = new Date(Math.round(days * 86_400) * 1000);
    if (Number.isNaN(date.getTime())) return plain(value);
    const [day, time] = date.toISOString().slice(0, 16).split('T');
    return [hasDay ? day : '', hasTime ? time : ''].join(' ').trim();
  }
  if (format.includes('%')) return `${plain(value * 100)}%`;
  return `${/\p{Sc}/u.exec(format)?.[0] ?? ''}${plain(value)}`;
}
