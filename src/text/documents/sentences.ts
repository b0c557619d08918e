import { TooManySentencesError } from '../errors.ts';
import { blocks } from './blocks.ts';
import { characterAt, isBlank, type Span, trimSpan, WORDY } from './document.ts';
import { isHtml, readHtml } from './html.ts';
import { markLines } from './marked-lines.ts';
import { outline, type Sentence } from './outline.ts';

const set = (words: string) => new Set(words.split(/\s+/));

const TITLES = set(
  `dr mr mrs ms mx prof st gen sen rep gov lt col capt cpt sgt maj cmdr adm hon rev fr pres messrs mme mlle supt insp det atty
   sig sra srta dña dott avv ing dhr mevr hr fr frl univ dipl habil e.g i.e eg ie viz cf vs v resp bzw z.b d.h u.a s.o z.zt sog sogen inkl
   zzgl ggf evtl bijv d.w.z p.ex p.ej p.es т.е напр им ул г-н г-жа`,
);
const BEFORE_NUMBER = set(
  `no nos nr núm fig figs vol vols p pp pg art sec sect ch chap eq eqs ca c abs bd jan feb mar apr jun jul aug sep sept oct nov dec
   approx circa par para cl ref tab §`,
);
const MAYBE_LAST = set(
  `inc ltd co corp llc plc bros gmbh ag etc al jr sr ph.d phd esq dept est a.m p.m am pm u.s u.k u.n u.s.a d.c e.u jan feb mar apr jun
   jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun ave blvd rd mt ft min max approx govt usw etc ecc enz ff usf mio mrd
   op ed eds trans orig misc tel ext n.b и т.д т.п др г гг млн млрд тыс руб`,
);
const STARTERS = set(
  `the a an it he she they we you i this that these those there here in on at for but and or so yet however if when while as after
   before since although though because our his her their its my your not no what who how why where which many most some all both each every
   one two such then also still thus meanwhile moreover according with by from to under is are was were do does did can could should would
   will may might let der die das es er sie wir ich ein eine in im am aber und le la les il elle nous el los las un una`,
);
const AFTER_ORDINAL =
  /^(?:jan|feb|m[aä]r|mä|apr|ma[ijy]|jun|jul|aug|sep|o[kc]t|nov|de[cz]|jänner|jahrhundert|auflage|klasse|platz|bundesliga|weltkrieg)/iu;

const ACRONYM = /^(?:\p{L}\.)+\p{L}$/u;
const VOWEL = /[aeiouyáéíóúàèìòùäöüâêîôûαεηιουωаеёиоуыэюя]/iu;

/** Whether a full stop belongs to the word before it, given with its inner stops ("U.S", "5"). `next`: the first word after it, or ''. */
function isAbbreviation(word: string, next: string): boolean {
  if (!word) return false;
  const low = word.toLowerCase();
  const starts = STARTERS.has(next.toLowerCase()) && next !== 'I';
  const lower = /^\p{Ll}/u.test(next);
  const digit = /^[\p{N}§]/u.test(next);
  if (TITLES.has(low)) return next !== '' && !(low === 'st' && starts);
  if (BEFORE_NUMBER.has(low) && digit) return true;
  if (/^\p{N}+$/u.test(word)) return word.length <= 2 && AFTER_ORDINAL.test(next);
  if (COMMON_WORDS.has(low)) return /^\p{Lu}/u.test(word) && digit;
  if (MAYBE_LAST.has(low)) return lower || digit || !starts;
  if (ACRONYM.test(word)) return !starts || lower;
  if (word.length === 1) return word !== 'I' && /\p{L}/u.test(word) && !starts;
  return (
    lower && word.length <= 5 && /^\p{Script=Latin}+$/u.test(word) && !VOWEL.test(word) && !/^\p{Lu}+$/u.test(word)
  );
}

const COMMON_WORDS = set('sat sun mar fri wed ed am pm co min max ext trans dec jun op ag г др и');

/** A longer quotation or aside has sentences of its own. In UTF-16 units. */
const LONGEST = 240;
const CLOSE: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '“': '”',
  '„': '“”',
  '«': '»',
  '「': '」',
  '『': '』',
  '（': '）',
  '【': '】',
  '《': '》',
  '`': '`',
};
const INTERESTING = new Set('()[]"“”„«»「」『』（）【】《》`');

/** Short quotations and parentheses in order of their openings. Ignores unpaired marks, so that one stray quote cannot span a page. */
function pairs(text: string, start: number, end: number): Span[] {
  const found: Span[] = [];
  const open: { mark: string; at: number }[] = [];
  for (let at = start; at < end; at++) {
    const mark = text.charAt(at);
    if (!INTERESTING.has(mark)) continue;
    while (open[0] && at - open[0].at > LONGEST) open.shift();
    const partner = open.findLastIndex((o) => (mark === '"' ? o.mark === '"' : CLOSE[o.mark]?.includes(mark)));
    if (partner >= 0 && !(mark === '"' && opensQuote(text, at) && !opensQuote(text, open[partner]?.at ?? at))) {
      found.push({ start: open[partner]?.at ?? at, end: at + 1 });
      open.length = partner;
    } else if (mark === '"' || CLOSE[mark]) {
      open.push({ mark, at });
      if (open.length > 16) open.shift();
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function opensQuote(text: string, at: number): boolean {
  return /(?:^|[\s([—–-])$/u.test(text.charAt(at - 1)) && /\S/.test(text.charAt(at + 1));
}

const TERMINATOR = /[\p{Sentence_Terminal}…⋯]/u;
const NARROW = /[.!?…]/;
const CLOSER = /["'”’»)\]}」』）】》*_`]/;
const QUOTE_CLOSER = /["”’'»]/;
const FOOTNOTE = /(?:\[\d{1,3}\])+/y;
const OPENERS = /["'“‘„«([{*_`¿¡\s\u200b-\u200f\ufeff-]{0,12}/y;
const WORD = /[\p{L}\p{N}§][\p{L}\p{M}\p{N}'’]{0,30}/uy;
const WORD_UNIT = /[\p{L}\p{M}\p{N}.@/_'’&-]/u;
/** `"Stop!" John said`: the sentence continues. */
const SAYS =
  /[\s,]*(?:\p{Lu}[\p{L}.'’-]{0,20}\s){1,3}(?:said|says|asked|added|told|replied|wrote|writes|noted|explained|argued|warned|shouted|cried|whispered)\b/uy;
const WIDE_QUOTE_END = /[」』”》]/;

/** The sentences of one block as trimmed spans. Every look around a terminator is bounded, so that time is linear. */
function splitBlock(text: string, start: number, end: number): Span[] {
  const found: Span[] = [];
  const inside = pairs(text, start, end);
  let pair = 0;
  let closesAt = 0;
  let from = start;
  const emit = (to: number) => {
    const span = trimSpan(text, from, to);
    if (span && WORDY.test(text.slice(span.start, span.end))) found.push(span);
    from = to;
  };
  for (let at = start; at < end; at++) {
    if (!isTerminator(text, at)) continue;
    const runEnd = endOfRun(text, at, end);
    const after = skipClosers(text, runEnd, end);
    for (let p = inside[pair]; p && p.start < after; p = inside[++pair]) closesAt = Math.max(closesAt, p.end);
    const close = after < closesAt && text.charAt(after) === ' ' && after + 2 === closesAt ? closesAt : after;
    if (close >= closesAt && close < end && endsSentence(text, at, runEnd, close, end)) emit(close);
    at = close - 1;
  }
  emit(end);
  return found;
}

function isTerminator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x2e || code === 0x21 || code === 0x3f;
  return TERMINATOR.test(characterAt(text, at));
}

function endOfRun(text: string, at: number, end: number): number {
  let to = at + characterAt(text, at).length;
  for (;;) {
    if (to < end && isTerminator(text, to)) to += characterAt(text, to).length;
    else if (to + 1 < end && text.charAt(to) === ' ' && NARROW.test(text.charAt(to + 1))) to += 2;
    else return to;
  }
}

function skipClosers(text: string, from: number, end: number): number {
  let to = from;
  while (to < end && CLOSER.test(text.charAt(to))) to++;
  FOOTNOTE.lastIndex = to;
  const note = FOOTNOTE.exec(text);
  return Math.min(end, note ? to + note[0].length : to);
}

/** Whether the terminators in [at, runEnd), with closing marks up to `close`, end a sentence. */
function endsSentence(text: string, at: number, runEnd: number, close: number, end: number): boolean {
  const mark = characterAt(text, at);
  const quoted = close > runEnd && QUOTE_CLOSER.test(text.slice(runEnd, close));
  if (!NARROW.test(mark)) {
    const isQuoteEnd = close > runEnd && WIDE_QUOTE_END.test(text.charAt(close - 1));
    return !isQuoteEnd || isBlank(text, close) || /[「『“《（]/.test(text.charAt(close));
  }
  const word = wordBefore(text, at);
  const next = nextWord(text, close, end);
  const lower = /^\p{Ll}/u.test(next);
  if (!isBlank(text, close)) return isGlued(mark, word, next, text.charAt(close)) && close === runEnd;
  if (lower && close > runEnd && text.charAt(close - 1) === ')') return false;
  if (quoted) {
    SAYS.lastIndex = close;
    if (lower || SAYS.test(text)) return false;
  }
  if (mark === '…' || runEnd - at > 2) return /^[.…\s]+$/.test(text.slice(at, runEnd)) ? !lower && next !== '' : true;
  // Before punctuation, or a bracket that belongs to the sentence, there is no boundary yet.
  const goesOn = close + 1 < end && /[,;:)]/.test(text.charAt(close + 1));
  if (mark === '.') return !(runEnd - at === 1 && isAbbreviation(word, next)) && !goesOn;
  return !(lower && isNameBefore(text, at, word));
}

function isGlued(mark: string, word: string, next: string, following: string): boolean {
  if (!/^\p{Lu}\p{Ll}|^[AI]$/u.test(next) || !next.startsWith(following)) return false;
  return mark === '.' ? /^\p{Ll}{2,}$/u.test(word) : /^[\p{L}'’]{2,}$/u.test(word);
}

/** "Yahoo! is": a capitalised word within a sentence, then lower case. */
function isNameBefore(text: string, at: number, word: string): boolean {
  const start = at - word.length;
  return (
    /^\p{Lu}\p{Ll}/u.test(word) && start > 1 && /[\p{Ll},]/u.test(text.charAt(start - 2)) && isBlank(text, start - 1)
  );
}

/** The text directly before a stop, at most 24 units, without the space of tokenised text; "z. B" gives "z.B". */
function wordBefore(text: string, at: number): string {
  let to = at;
  if (to > 0 && text.charAt(to - 1) === ' ') to--;
  let from = to;
  const floor = Math.max(0, to - 24);
  while (from > floor && WORD_UNIT.test(text.charAt(from - 1))) from--;
  const word = text.slice(from, to).replace(/^[.'’/&-]+/, '');
  const spaced = word.length === 1 ? /(?:^|\s)(\p{L})\.\s$/u.exec(text.slice(Math.max(0, from - 5), from)) : null;
  return spaced ? `${spaced[1]}.${word}` : word;
}

function nextWord(text: string, from: number, end: number): string {
  let at = from;
  while (at < end && isBlank(text, at)) at++;
  OPENERS.lastIndex = at;
  at += OPENERS.exec(text)?.[0].length ?? 0;
  WORD.lastIndex = at;
  return at < end ? (WORD.exec(text)?.[0] ?? '') : '';
}

export type { Sentence } from './outline.ts';

/** 4 kB and 25 microseconds each: a list of 225,000 letters, of a megabyte, took 900 MB. */
const MOST = { lines: 100_000, blocks: 50_000, sentences: 100_000 };

function bound(count: number, what: keyof typeof MOST): void {
  if (count <= MOST[what]) return;
  const meant = what === 'blocks' ? 'paragraphs, list items and rows' : what;
  throw new TooManySentencesError(`A document has at most ${MOST[what]} ${meant}: give it in parts.`);
}

/**
 * Splits a text in any language, plain, Markdown or HTML, into sentences: in order, not overlapping, trimmed, never inside a
 * surrogate pair, each with what it stands under. Text without letters or digits is in no sentence. Time is linear.
 *
 * Boundaries come from Unicode's Sentence_Terminal property and own rules. They split all 37 paragraphs of
 * `test/text/documents/sentences.test.ts` as people would, Intl.Segmenter 17, sentence-splitter 5.0 18, cldr-segmentation 2.2 17.
 * Intl.Segmenter also changes with the runtime's ICU, so that offsets, and with them ids of key points, would differ between
 * Node and workerd.
 * @throws TooManySentencesError
 */
export function read(text: string) {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) bound(++lines, 'lines');
  const html = isHtml(text) ? readHtml(text) : undefined;
  const view = html?.view ?? text;
  const found = blocks(view, html?.lines ?? markLines(view));
  bound(found.length, 'blocks');
  let count = 0;
  const split = found.map((block): readonly Span[] => {
    const spans = block.row ? [{ start: block.start, end: block.end }] : splitBlock(view, block.start, block.end);
    count += spans.length;
    bound(count, 'sentences');
    return spans;
  });
  return { view, sentences: outline(view, found, split) };
}

export function sentences(text: string): readonly Sentence[] {
  return read(text).sentences;
}
