import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { type Span, trimSpan, WORDY } from './document.ts';
import type { MarkedLine } from './marked-lines.ts';

const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'html body main article section div p blockquote ul ol li dl dt dd table caption thead tbody tfoot tr td th pre figure ' +
    'figcaption address details summary h1 h2 h3 h4 h5 h6 hr header footer nav aside form fieldset option center'
  ).split(' '),
);
const HEADING = /^h([1-6])$/;
/** A longer cell is part of the page's layout. In UTF-16 units. */
const MAX_CELL_LENGTH = 200;
const MAX_ROW_LENGTH = 600;

interface Piece extends Span {
  readonly kind: 'plain' | 'heading' | 'item';
  readonly level?: number;
  readonly indent: number;
  readonly notes?: readonly Span[];
}

interface Row {
  readonly cells: Piece[][];
  headers: number;
}

type Found =
  | Piece
  | { readonly table: number; readonly cells: readonly Span[]; readonly headed: boolean; caption?: Span };

function htmlBlocks() {
  const found: Found[] = [];
  let start = -1;
  let end = -1;
  let heading = 0;
  let lists = 0;
  let isItem = false;
  let breaks = 0;
  let tables = 0;
  let row: Row | undefined;
  let caption: Span | undefined;
  let term: Span | undefined;
  let part = '';

  const put = (piece: Piece) => {
    if (row) row.cells.at(-1)?.push(piece);
    else found.push(piece);
  };
  const flush = () => {
    if (start >= 0) {
      const span = { start, end };
      if (part === 'caption' && row === undefined) caption = span;
      else if (part === 'dt') term = span;
      else if (heading > 0) put({ ...span, kind: 'heading', level: heading, indent: 0 });
      else if (isItem) put({ ...span, kind: 'item', indent: lists });
      else put({ ...span, kind: 'plain', indent: 0, ...(part === 'dd' && term && { notes: [term] }) });
    }
    start = -1;
    breaks = 0;
  };
  const endRow = () => {
    flush();
    if (!row) return;
    const { cells, headers } = row;
    row = undefined;
    const spans = cells.map(spanOf);
    const filled = spans.filter((span) => span.end > span.start);
    const length = (filled.at(-1)?.end ?? 0) - (filled[0]?.start ?? 0);
    const isShort = length <= MAX_ROW_LENGTH && spans.every((span) => span.end - span.start <= MAX_CELL_LENGTH);
    const headed = headers === cells.length;
    if (isShort && cells.length > 1) found.push({ table: tables, cells: spans, headed, ...(caption && { caption }) });
    else for (const piece of cells.flat()) found.push(piece);
  };

  return {
    text(from: number, to: number, isBlank: boolean): void {
      if (!isBlank) breaks = 0;
      if (start < 0) start = from;
      end = to;
    },
    inHeading: () => heading > 0,
    lineBreak(): void {
      if (++breaks > 1) flush();
    },
    open(name: string): void {
      if (!BLOCK_ELEMENTS.has(name)) return;
      if (name === 'table' || name === 'tr') endRow();
      else flush();
      const level = HEADING.exec(name)?.[1];
      if (level !== undefined) heading = Number(level);
      if (name === 'li') isItem = true;
      if (name === 'ul' || name === 'ol') {
        lists++;
        isItem = false;
      }
      if (name === 'table') {
        tables++;
        caption = undefined;
      }
      if (name === 'tr') row = { cells: [], headers: 0 };
      if (name === 'td' || name === 'th') row?.cells.push([]);
      if (name === 'th' && row) row.headers++;
      if (name === 'caption' || name === 'dt' || name === 'dd') part = name;
    },
    close(name: string): void {
      if (!BLOCK_ELEMENTS.has(name)) return;
      if (name === 'tr' || name === 'table') endRow();
      else flush();
      if (HEADING.test(name)) heading = 0;
      if (name === 'li') isItem = false;
      if (name === 'ul' || name === 'ol') {
        lists = Math.max(0, lists - 1);
        isItem = false;
      }
      if (name === part) part = '';
      if (name === 'dl') term = undefined;
    },
    finish(view: string): MarkedLine[] {
      endRow();
      return linesOf(view, found);
    },
  };
}

function spanOf(pieces: readonly Piece[]): Span {
  return { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 };
}

function linesOf(view: string, found: readonly Found[]): MarkedLine[] {
  const headers = new Map<number, readonly Span[]>();
  return found.flatMap((each): MarkedLine[] => {
    if ('kind' in each) {
      const span = trimSpan(view, each.start, each.end);
      if (!span || !WORDY.test(view.slice(span.start, span.end))) return [];
      const { kind, level, indent, notes } = each;
      return [{ ...span, kind, content: span.start, afterGap: true, indent, level, notes }];
    }
    const cells = each.cells.map(
      (cell) => trimSpan(view, cell.start, cell.end) ?? { start: cell.start, end: cell.start },
    );
    if (each.headed && !headers.has(each.table)) {
      headers.set(each.table, cells);
      return [];
    }
    const filled = cells.filter((cell) => cell.end > cell.start);
    const [start, end] = [filled[0]?.start ?? 0, filled.at(-1)?.end ?? 0];
    if (!WORDY.test(view.slice(start, end))) return [];
    const row = { cells, headers: headers.get(each.table) ?? [] };
    const notes = each.caption && [each.caption];
    return [{ start, end, kind: 'table', content: start, afterGap: true, indent: 0, row, notes }];
  });
}

const set = (names: string) => new Set(names.split(' '));

const NEVER_READ = set('script style template noscript head svg math button select textarea iframe object canvas');
const AROUND = set('nav header footer aside');
const NONE: ReadonlySet<string> = new Set();

const OPENING = /^[\s\ufeff]*(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i;
const TAG = /<\/?([a-z][a-z0-9]{0,15})(?:\s[^<>]{0,500})?\/?>/gi;
const SAMPLE = 20_000;
/** Minimum number of block tags, and share of all tags, in HTML without a document tag. */
const MIN_TAGS = 4;
const SHARE = 0.02;

/** Fills the place of a tag: invisible white space that is dropped when a text is tidied. */
const FILLER = '\ufeff';

export function isHtml(text: string): boolean {
  if (OPENING.test(text.slice(0, 2000))) return true;
  const sample = text.slice(0, SAMPLE);
  if (!/^[\s\ufeff]*<[a-z!]/i.test(sample)) return false;
  let tagged = 0;
  let blocks = 0;
  for (const [tag, name = ''] of sample.matchAll(TAG)) {
    tagged += tag.length;
    if (BLOCK_ELEMENTS.has(name.toLowerCase())) blocks++;
  }
  return blocks >= MIN_TAGS && tagged >= SHARE * sample.length;
}

/**
 * Reads HTML by tokens, without a tree: time is linear in the length whatever the nesting, and unbalanced tags do no harm.
 * @returns `view` as long as the source, so that offsets are the same: tags are filled up, entities decoded in place
 */
export function readHtml(text: string): { readonly view: string; readonly lines: MarkedLine[] } {
  const read = readTokens(text, AROUND);
  // An unclosed header would swallow the page.
  return read.lines.some(({ kind }) => kind !== 'heading') ? read : readTokens(text, NONE);
}

function readTokens(text: string, around: ReadonlySet<string>) {
  const parts: string[] = [];
  let length = 0;
  const fill = (to: number) => {
    if (to > length) parts.push(FILLER.repeat(to - length));
    length = Math.max(length, to);
  };
  const put = (start: number, content: string) => {
    fill(start);
    parts.push(content);
    length += content.length;
  };
  const blocks = htmlBlocks();
  /** Number of open elements by name whose content is skipped. */
  const out = new Map<string, number>();
  let name = '';
  let tagStart = 0;
  const isRead = () => out.size === 0 || (blocks.inHeading() && ![...out.keys()].some((each) => NEVER_READ.has(each)));
  const write = (start: number, content: string, end: number) => {
    if (!isRead()) return;
    put(start, content);
    blocks.text(start, end, !/\S/.test(content));
  };
  const open = (isClosed: boolean) => {
    if (name === 'body') out.clear();
    if (!isClosed && (NEVER_READ.has(name) || around.has(name))) out.set(name, (out.get(name) ?? 0) + 1);
    if (name === 'br' && isRead()) {
      put(tagStart, '\n');
      blocks.lineBreak();
    }
    blocks.open(name);
  };
  const ignore = () => {};
  const callbacks: TokenizerCallbacks = {
    ontext: (start, end) => write(start, text.slice(start, end), end),
    ontextentity(codepoint, end) {
      const start = Math.max(length, text.lastIndexOf('&', end - 1));
      const character = String.fromCodePoint(codepoint);
      if (start + character.length <= end) write(start, character, end);
    },
    onopentagname(start, end) {
      tagStart = start - 1;
      name = text.slice(start, end).toLowerCase();
    },
    onopentagend: () => open(false),
    // In HTML only void elements close themselves: "<div/>" is open.
    onselfclosingtag: () => open(NEVER_READ.has(name)),
    onclosetag(start, end) {
      const closed = text.slice(start, end).toLowerCase();
      const depth = out.get(closed) ?? 0;
      if (depth > 1) out.set(closed, depth - 1);
      else out.delete(closed);
      blocks.close(closed);
    },
    onattribname: ignore,
    onattribdata: ignore,
    onattribentity: ignore,
    onattribend: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
    onend: ignore,
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(text);
  tokenizer.end();
  fill(text.length);
  const view = parts.join('');
  return { view, lines: blocks.finish(view) };
}
