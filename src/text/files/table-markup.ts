const FIGURE = /\p{N}/u;
const AMOUNT = /^[\p{Sc}+\u2212-]?\s*\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;

export interface Row {
  readonly texts: readonly string[];
  /** Whether it is marked as a header. */
  readonly isMarked: boolean;
}

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Markup of a table with one row of headers at most, and its titles before it. Empty rows are left out; one column is text. */
export function tableMarkup(all: readonly (Row | readonly string[])[]): string {
  const given = all.map((row): Row => ('texts' in row ? row : { texts: row, isMarked: false }));
  const rows = given.filter(({ texts }) => texts.some((text) => text !== ''));
  const titles = rows.findIndex((row, n) => n === rows.length - 1 || !isTitle(row));
  const shown = rows.slice(titles);
  const depth = headerDepth(shown);
  const header = (shown[0]?.texts ?? []).map((_, column) =>
    [...new Set(shown.slice(0, depth).map(({ texts }) => texts[column]))].join(' ').trim(),
  );
  const elements = (name: string, texts: readonly string[]) =>
    texts.map((text) => `<${name}>${escapeMarkup(text)}</${name}>`).join('');
  const lines = [
    ...(depth > 0 ? [elements('th', header)] : []),
    ...shown.slice(depth).map(({ texts }) => elements('td', texts)),
  ];
  const before = rows.slice(0, titles).map(({ texts }) => texts[0]);
  if (rows.every(({ texts }) => texts.length < 2))
    return elements(
      'p',
      rows.flatMap(({ texts }) => texts),
    );
  return `${elements('p', before)}<table>${lines.map((line) => `<tr>${line}</tr>`).join('')}</table>`;
}

function isTitle({ texts }: Row): boolean {
  return texts.length > 1 && texts[0] !== '' && texts.slice(1).every((text) => text === '');
}

/** Number of header rows: those marked, or the first if it reads like one. In two columns, which may name rows, it stands above figures. */
function headerDepth(rows: readonly Row[]): number {
  const marked = rows.findIndex(({ isMarked }) => !isMarked);
  if (marked > 0) return marked;
  const [first, ...rest] = rows;
  if (marked < 0 || rest.length === 0 || first.texts.slice(1).some((text) => text === '')) return 0;
  if (first.texts.length > 2) return first.texts.some((text) => AMOUNT.test(text) && !YEAR.test(text)) ? 0 : 1;
  const isOverFigures = rest.every(({ texts }) => texts.some((text) => FIGURE.test(text)));
  return isOverFigures && !first.texts.some((text) => FIGURE.test(text)) ? 1 : 0;
}
