import type JSZip from 'jszip';
import { UnreadableFileError } from '../errors.ts';
import { markupText } from './markup-text.ts';
import { escapeMarkup, openArchive, orInvalid, readPart, relationsOf } from './office-archive.ts';
import { tableMarkup } from './table-markup.ts';

/** Of all sheets, the empty ones among them included. */
const MAX_CELLS = 1_000_000;
const TOO_MANY = 'Its sheets have more than a million cells; split it.';
const WORKBOOK = 'xl/workbook.xml';
/** What Excel knows without being told: dates, times, percentages. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ...Object.fromEntries([14, 15, 16, 17, 27, 30, 36, 50, 57].map((id) => [id, 'y'])),
  ...Object.fromEntries([18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'h'])),
  ...{ 9: '0%', 10: '0.00%', 22: 'y h' },
};
const DAY = 86_400_000;

/**
 * The text of a workbook (.xlsx): each sheet under its name as a Markdown table, with dates in ISO 8601, percentages, and formulas by the value
 * that was stored last.
 * @throws UnreadableFileError
 */
export async function readXlsx(bytes: Uint8Array): Promise<string> {
  return orInvalid('Excel workbook (.xlsx)', async () => {
    const zip = await openArchive(bytes);
    const related = await relationsOf(zip, WORKBOOK);
    const sheets: { name: string; path: string }[] = [];
    let isSince1904 = false;
    await readPart(zip, WORKBOOK, {
      open(tag, { name = '', date1904 = '' }, reference) {
        const target = related.get(reference);
        if (tag === 'workbookPr') isSince1904 = /^(?:1|true)$/.test(date1904);
        if (tag === 'sheet' && target?.type === 'worksheet') sheets.push({ name, path: target.path });
      },
    });
    const pathOf = (type: string) => [...related.values()].find((each) => each.type === type)?.path;
    const strings = await readStrings(zip, pathOf('sharedStrings'));
    const formats = await readFormats(zip, pathOf('styles'));
    const shown = ({ type, style, value }: Cell): string => {
      if (type === 's') return strings[Number(value)] ?? '';
      if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
      if (type === 'e') return '';
      if (type !== 'n' || value.trim() === '' || Number.isNaN(Number(value))) return value;
      return numberText(Number(value), formats[style] ?? '', isSince1904);
    };
    const parts: string[] = [];
    let cells = 0;
    for (const { name, path } of sheets) {
      const rows = await readSheet(zip, path, shown);
      const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);
      cells += rows.length * columns.length;
      if (cells > MAX_CELLS) throw new UnreadableFileError(TOO_MANY);
      if (columns.length > 0) parts.push(`<h2>${escapeMarkup(name)}</h2>`);
      const texts = rows.map((row) => columns.map((column) => row.get(column) ?? ''));
      if (columns.length > 1) parts.push(tableMarkup(texts.map((each) => ({ texts: each, isMarked: false }))));
      else parts.push(...texts.map(([text]) => `<p>${escapeMarkup(text)}</p>`));
    }
    return markupText(parts.join(''));
  });
}

interface Cell {
  /** As in the file: `s` shared string, `n` number, `b` boolean, `e` error, `d` date, others text. */
  readonly type: string;
  readonly style: number;
  readonly value: string;
}

/** Texts of each row by column. */
async function readSheet(zip: JSZip, path: string, shown: (cell: Cell) => string): Promise<Map<number, string>[]> {
  const rows: Map<number, string>[] = [];
  let row = new Map<number, string>();
  let column = -1;
  let cell = { type: 'n', style: 0, value: '' };
  let isValue = false;
  let hidden = 0;
  await readPart(zip, path, {
    open(tag, { r = '', t = 'n', s = '0' }) {
      if (tag === 'row') row = new Map();
      else if (tag === 'c') {
        column = r === '' ? column + 1 : columnOf(r);
        cell = { type: t, style: Number(s), value: '' };
      } else if (tag === 'rPh') hidden++;
      isValue = (tag === 'v' || tag === 't') && hidden === 0;
    },
    text(text) {
      if (isValue) cell.value += text;
    },
    close(tag) {
      isValue = false;
      if (tag === 'rPh') hidden--;
      if (tag === 'row') {
        column = -1;
        if (row.size > 0) rows.push(row);
      } else if (tag === 'c') {
        const text = shown(cell).replace(/\s+/g, ' ').trim();
        if (text !== '') row.set(column, text);
      }
    },
  });
  return rows;
}

/** From 0, of a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = 26 * column + letter.charCodeAt(0) - 64;
  return column - 1;
}

async function readStrings(zip: JSZip, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  let isText = false;
  /** Phonetic hints repeat what is written. */
  let isHint = false;
  if (path === undefined) return strings;
  await readPart(zip, path, {
    open(tag) {
      if (tag === 'si') strings.push('');
      if (tag === 'rPh') isHint = true;
      isText = tag === 't' && !isHint;
    },
    text(text) {
      if (isText && strings.length > 0) strings[strings.length - 1] += text;
    },
    close(tag) {
      if (tag === 'rPh') isHint = false;
      isText = false;
    },
  });
  return strings;
}

/** Codes of number formats by the style of a cell. */
async function readFormats(zip: JSZip, path: string | undefined): Promise<string[]> {
  const [own, styles] = [new Map<string, string>(), [] as string[]];
  let isCell = false;
  if (path === undefined) return styles;
  await readPart(zip, path, {
    open(tag, { numFmtId = '', formatCode = '' }) {
      if (tag === 'numFmt') own.set(numFmtId, plainCode(formatCode));
      if (tag === 'cellXfs') isCell = true;
      if (tag === 'xf' && isCell) styles.push(own.get(numFmtId) ?? BUILT_IN[numFmtId] ?? '');
    },
    close(tag) {
      if (tag === 'cellXfs') isCell = false;
    },
  });
  return styles;
}

/** A number format without literal text and conditions, but with its currency and `[h]`. */
function plainCode(code: string): string {
  return code
    .split(';')[0]
    .replace(
      /\[\$([^\]-]*)[^\]]*\]|"([^"]*)"/g,
      (_, sign = '', literal = '') => /\p{Sc}/u.exec(sign + literal)?.[0] ?? '',
    )
    .replace(/\\.|\[(?!h|m)[^\]]*\]/gi, '');
}

/** A number as its format means it: ISO 8601, or with percent sign or currency. */
function numberText(value: number, format: string, isSince1904: boolean): string {
  const plain = (number: number) => String(Number(number.toPrecision(12)));
  if (/\[[hm]/i.test(format)) return `${plain(24 * value)} h`;
  const [hasDate, hasTime] = [/[yd]/i.test(format), /[hs]/i.test(format)];
  if ((hasDate || hasTime) && !/[#?]/.test(format)) {
    // Excel counts from 1900 with a leap day that did not exist.
    const days = value - (isSince1904 ? 24_107 : value < 60 ? 25_568 : 25_569);
    const date = new Date(Math.round((days * DAY) / 1000) * 1000);
    if (Number.isNaN(date.getTime())) return String(value);
    const [day, time] = date.toISOString().slice(0, 16).split('T');
    return [hasDate ? day : '', hasTime ? time : ''].join(' ').trim();
  }
  if (format.includes('%')) return `${plain(value * 100)}%`;
  return `${/\p{Sc}/u.exec(format)?.[0] ?? ''}${plain(value)}`;
}
