import { CLOSING_MARKERS, MARKERS, OPENING_MARKERS, sentences } from '../../text/index.ts';

/** A stretch of a draft that a sentence does not cross: lines of running text put together, or those of a list item. */
interface Unit {
  readonly text: string;
  /** Index of its paragraph. A list is one paragraph, whether or not blank lines stand between its items. */
  readonly paragraph: number;
  /** Number of the list item that it belongs to; null outside lists. */
  readonly item: number | null;
  /** What the list that it belongs to stands under; null where nothing names it. */
  readonly label: string | null;
}

/** What stands before a line of a list, and headings. */
const LIST_MARK = /^(\s*)(?:(?:[-*+•‣▪◦–—]|(\(?\d{1,3}[.)]))\s+)+/u;
const HEADING = /^\s*#{1,6}\s/u;
/** A heading below that of the whole text, or a line in bold: it names what comes after it. */
const NAMING = /^\s*(?:#{2,6}\s+(.+?)[\s:#]*|\*\*([^*]+?):?\*\*:?\s*)$/u;
/** A longer line, in UTF-16 units, is a sentence that lacks its end, or states something. */
const MAX_LABEL_LENGTH = 80;
const RULE = /^\s*(?:-{3,}|\*{3,}|`{3,}.*)\s*$/;
/** A line that goes on with the one before it, whatever that one is. */
const GOES_ON = /^\s*[\p{Ll},;:.)\]]/u;
/** A line that goes on with the list item before it. */
const INDENTED = /^(?:\t| {2})/;
const WORDY = /[\p{L}\p{N}]/u;
const ENDED = /[\p{Sentence_Terminal}…\p{P}]\s*$/u;
const COLON = /[*_\s]*[:：][*_\s]*$/u;
/** A lead-in that is said to whoever asked for the text, and names nothing. */
const ANNOUNCING = /^[\s*_]*(?:sure|certainly|of course|okay|here(?:['’]s| is| are)|below|the following)\b/iu;
/** A line without an end that is shorter than this was not wrapped. */
const MIN_WRAPPED_LENGTH = 50;

/** How the line of a list item opens. */
interface Mark {
  readonly indent: number;
  readonly isNumbered: boolean;
}

interface Line extends Omit<Unit, 'label' | 'text'> {
  text: string;
  /** How its list item opens; null outside lists. */
  readonly mark: Mark | null;
  /** Whether it opens the item. */
  readonly isFirst: boolean;
  /** Whether a heading was left out between it and the one before. */
  readonly isApart: boolean;
}

/** Puts the lines of a draft together to units; what only names others is no unit, but their label or the start of the next. */
export function unitsOf(draft: string): Unit[] {
  return withLabels(linesOf(draft));
}

/** "Haiti, January 2010: Trams run.", and the same for what stands under a label. */
export function labelled(label: string, text: string): string {
  return `${label}: ${text}`;
}

function linesOf(draft: string): Line[] {
  const lines: Line[] = [];
  let paragraph = -1;
  let items = 0;
  let isApart = false;
  for (const block of draft.replace(/\r\n?/g, '\n').split(/\n\s*\n/)) {
    let before: string | null = null;
    let isOpening = true;
    for (const line of block.split('\n')) {
      const [, ...names] = line.length <= MAX_LABEL_LENGTH ? (NAMING.exec(line) ?? []) : [];
      const name = names.find((each) => each !== undefined);
      const isHeading = HEADING.test(line);
      const isText = name === undefined && !isHeading && line.trim() !== '' && !RULE.test(line);
      if (isHeading && name === undefined) isApart = true;
      const listed = isText ? LIST_MARK.exec(line) : null;
      if (isText && before !== null && listed === null && !standsApart(before, line)) {
        lines[lines.length - 1].text += ` ${line}`;
      } else if (isText || name !== undefined) {
        const last = lines.at(-1);
        const goesOn = isText && listed === null && INDENTED.test(line);
        const mark = listed
          ? { indent: listed[1].length, isNumbered: listed[2] !== undefined }
          : (goesOn && last?.mark) || null;
        if (listed) items++;
        if (isOpening && (mark === null || last?.mark == null)) paragraph++;
        const text = name ?? line.slice(listed?.[0].length ?? 0);
        lines.push({ text, paragraph, item: mark && items, mark, isFirst: listed !== null, isApart });
        isOpening = false;
        isApart = false;
      }
      before = isText ? line : null;
    }
  }
  return lines;
}

/**
 * Puts what only names what follows, "Haiti, January 2010" on a line of its own, before the sentence that follows; before a
 * list it is the label of all its items, and so is a lead-in: "Still open:".
 */
function withLabels(lines: readonly Line[]): Unit[] {
  const units: Unit[] = [];
  let name: string | null = null;
  let over: { readonly text: string; readonly mark: Mark | null }[] = [];
  for (const [l, { text, paragraph, item, mark, isFirst }] of lines.entries()) {
    const next = lines[l + 1];
    if (mark === null) over = [];
    else if (isFirst) over = over.filter((label) => isUnder(mark, label.mark));
    const opensList = next?.isFirst === true && next.mark !== null && isUnder(next.mark, mark);
    if (opensList && (isLabel(text) || (isLeadIn(text) && !next.isApart))) {
      over.push({ text: text.replace(COLON, ''), mark });
      name = null;
    } else if (next?.isFirst === false && isLabel(text)) {
      name = text.trim();
    } else {
      const label = item === null ? null : (over.at(-1)?.text ?? null);
      units.push({ text: name === null ? text : labelled(name, text.trimStart()), paragraph, item, label });
      name = null;
    }
  }
  return units;
}

/** Whether an item belongs under a line: deeper, or marked in another way. */
function isUnder(item: Mark, line: Mark | null): boolean {
  if (line === null || item.indent > line.indent) return true;
  return item.indent === line.indent && item.isNumbered !== line.isNumbered;
}

function isLabel(text: string): boolean {
  return isShort(text) && !ENDED.test(text.replace(/[)\]”"’*_]+\s*$/u, 'a'));
}

/** Whether a line leads over to a list and says no more: what states something is a sentence, and needs a source. */
function isLeadIn(text: string): boolean {
  return COLON.test(text) && isShort(text) && !ANNOUNCING.test(text) && sentences(text).length === 1;
}

function isShort(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && WORDY.test(text) && text.search(MARKERS) < 0;
}

/** Whether a line does not go on with the sentence of the line before it. */
function standsApart(before: string, line: string): boolean {
  if (GOES_ON.test(line)) return false;
  const isMarked = CLOSING_MARKERS.test(before);
  if (OPENING_MARKERS.test(line)) return OPENING_MARKERS.test(before) && !isMarked;
  if (isMarked) return WORDY.test(before.replace(MARKERS, ''));
  return before.length < MIN_WRAPPED_LENGTH && !ENDED.test(before);
}
