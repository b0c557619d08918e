import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { BLOCK_ELEMENTS, htmlBlocks } from './html-blocks.ts';
import type { MarkedLine } from './marked-lines.ts';

const set = (names: string) => new Set(names.split(' '));

/** Elements that hold nothing of the matter. */
const NEVER_READ = set('script style template noscript head svg math button select textarea iframe object canvas');
/** Elements around the matter; only headings are read there. */
const AROUND = set('nav header footer aside');
const NONE: ReadonlySet<string> = new Set();

const OPENING = /^[\s\ufeff]*(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i;
const TAG = /<\/?([a-z][a-z0-9]{0,15})(?:\s[^<>]{0,500})?\/?>/gi;
/** How much of a text is looked at. */
const SAMPLE = 20_000;
/** Tags of blocks, and the share of a text that tags take up, from which it is HTML without saying so. */
const FEWEST_TAGS = 4;
const SHARE = 0.02;

/** Stands where a tag was: white space that nobody sees, and that goes when a text is tidied. */
const FILLER = '\ufeff';

/** Whether a text is an HTML document, or a piece of one. */
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
  return blocks >= FEWEST_TAGS && tagged >= SHARE * sample.length;
}

/** HTML as a reader sees it. */
export interface HtmlReading {
  /** As long as the source: tags filled up, entities decoded in place, so that an offset means the same in both. */
  readonly view: string;
  /** Its blocks, each as a line of its own. */
  readonly lines: MarkedLine[];
}

/**
 * Reads HTML. Only tokens are looked at and no tree is built: time is linear whatever the nesting, and what is not
 * closed, or closed twice, does no harm.
 */
export function readHtml(text: string): HtmlReading {
  const read = readTokens(text, AROUND);
  // A header that is never closed would swallow the page: better its furniture than nothing.
  return read.lines.some(({ kind }) => kind !== 'heading') ? read : readTokens(text, NONE);
}

function readTokens(text: string, around: ReadonlySet<string>): HtmlReading {
  const view = new View(text.length);
  const blocks = htmlBlocks();
  /** Elements open now whose content is left out, with how many of each. */
  const out = new Map<string, number>();
  let name = '';
  let tagStart = 0;
  const isRead = () => out.size === 0 || (blocks.inHeading() && ![...out.keys()].some((each) => NEVER_READ.has(each)));
  const write = (start: number, content: string, end: number) => {
    if (!isRead()) return;
    view.write(start, content);
    blocks.text(start, end, !/\S/.test(content));
  };
  const open = (isClosed: boolean) => {
    if (name === 'body') out.clear();
    if (!isClosed && (NEVER_READ.has(name) || around.has(name))) out.set(name, (out.get(name) ?? 0) + 1);
    if (name === 'br' && isRead()) {
      view.write(tagStart, '\n');
      blocks.lineBreak();
    }
    blocks.open(name);
  };
  const ignore = () => {};
  const callbacks: TokenizerCallbacks = {
    ontext: (start, end) => write(start, text.slice(start, end), end),
    ontextentity(codepoint, end) {
      const start = Math.max(view.length, text.lastIndexOf('&', end - 1));
      const character = String.fromCodePoint(codepoint);
      if (start + character.length <= end) write(start, character, end);
    },
    onopentagname(start, end) {
      tagStart = start - 1;
      name = text.slice(start, end).toLowerCase();
    },
    onopentagend: () => open(false),
    // HTML knows no closed opening tags but of void elements: "<div/>" is open.
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
  const shown = view.finish();
  return { view: shown, lines: blocks.finish(shown) };
}

/** A text of a given length that is written from left to right; what is passed over is filled up. */
class View {
  length = 0;
  private readonly parts: string[] = [];
  private readonly whole: number;

  constructor(whole: number) {
    this.whole = whole;
  }

  write(start: number, content: string): void {
    if (start < this.length) return;
    this.fill(start);
    this.parts.push(content);
    this.length += content.length;
  }

  finish(): string {
    this.fill(this.whole);
    return this.parts.join('');
  }

  private fill(to: number): void {
    if (to > this.length) this.parts.push(FILLER.repeat(to - this.length));
    this.length = Math.max(this.length, to);
  }
}
