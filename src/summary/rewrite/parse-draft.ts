import { sentences } from '../../documents/sentences.ts';
import { withoutUnseen } from '../../language-models/as-data.ts';
import { plainText } from '../plain-text.ts';
import { endSentence } from '../sentence-text.ts';

/** A sentence of a model's draft with the numbers it cites, in the order of their first mention. */
export interface DraftSentence {
  readonly text: string;
  readonly numbers: readonly number[];
  /** Index of its paragraph in the draft. */
  readonly paragraph: number;
}

/** Brackets with nothing but numbers, ranges and the words that models put before them: [1], [2, 5], [3-4], 【1】, [KP 2], [^1]. */
const MARKER =
  /[[［【]\s*(?:(?:kp|key\s*points?|points?|sources?|no\.?|#|\^)\s*)*(\d{1,4}(?:\s*(?:[,;–—-]|and|&)\s*(?:(?:kp|#)\s*)?\d{1,4})*)\s*[\]］】]/giu;
/** Several of them in a row. */
const MARKERS = new RegExp(`${MARKER.source}(?:[\\s,;]*${MARKER.source})*`, 'giu');
const OPENING_MARKERS = new RegExp(`^\\s*${MARKERS.source}`, 'iu');
const CLOSING_MARKERS = new RegExp(`${MARKERS.source}[\\s\\p{P}]*$`, 'iu');
const ENDED = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]*\s*$/u;
const STOP = /^\s*[\p{Sentence_Terminal}…]+[\p{Pe}\p{Pf}"']*/u;
/** What stands before a line of a list, and headings. */
const LIST_MARK = /^\s*(?:[-*+•‣▪◦–—]\s+|\(?\d{1,3}[.)]\s+)+/u;
const HEADING = /^\s*#{1,6}\s/u;
/** A heading below that of the whole text, or a line in bold: it names what comes after it. */
const NAMING = /^\s*(?:#{2,6}\s+(.+?)[\s:#]*|\*\*([^*]+?):?\*\*:?\s*)$/u;
/** A longer line, in UTF-16 units, is a sentence that lacks its end. */
const LONGEST_LABEL = 80;
const RULE = /^\s*(?:-{3,}|\*{3,}|`{3,}.*)\s*$/;
/** A line that goes on with the one before it, whatever that one is. */
const GOES_ON = /^\s*[\p{Ll},;:.)\]]/u;
const WORDY = /[\p{L}\p{N}]/u;
/** A line without an end that is shorter than this was not wrapped. */
const SHORTEST_WRAPPED = 50;
/** A range longer than this is a misprint. */
const LONGEST_RANGE = 50;

/** A sentence, and the stretch up to a marker, or to the end of a line, that it was found in. */
interface Found extends DraftSentence {
  readonly stretch: string;
}

/**
 * Reads a draft: sentences, each with the numbers cited after (or inside) it. A sentence before one that is cited, without
 * numbers of its own, has none.
 */
export function parseDraft(draft: string): DraftSentence[] {
  return foundIn(draft).map(({ text, numbers, paragraph }) => ({ text, numbers, paragraph }));
}

/** Markup that some models write for emphasis and lists. */
const TAG = /<\/?(?:a|b|i|em|strong|p|br|span|u|sub|sup|div|code|mark|small|ul|ol|li|h[1-6])(?:\s[^<>]{0,300})?\/?>/gi;

/** What a marker or a line ends with. */
const MAY_STAND = /[\]】］\n](?=[^\]】］\n]*$)/;

/**
 * The sentences of a draft that stand however it goes on: all up to its last marker or line end, but for those of the last
 * stretch, to which another marker, or the end of a quotation, may belong.
 */
export function standingSentences(draft: string): DraftSentence[] {
  const end = MAY_STAND.exec(draft)?.index ?? -1;
  const found = foundIn(draft.slice(0, end + 1));
  const last = found.at(-1)?.stretch;
  return found
    .filter(({ stretch }) => stretch !== last)
    .map(({ text, numbers, paragraph }) => ({ text, numbers, paragraph }));
}

function foundIn(draft: string): Found[] {
  return paragraphsOf(draft.replace(TAG, '')).flatMap((units, paragraph) =>
    units.flatMap((unit, u) =>
      stretchesOf(unit).flatMap(({ text, opens, marks }, s) => {
        const spans = sentences(text)
          .map(({ start, end }) => ({ sentence: tidied(text.slice(start, end)), end }))
          .filter(({ sentence }) => WORDY.test(sentence));
        const placed = marks.map(({ at, numbers }) => {
          const span = spans.findIndex(({ end }) => at <= end);
          return { numbers, span: span < 0 ? spans.length - 1 : span };
        });
        return spans.map(({ sentence }, index) => {
          const own = placed.filter(({ span }) => span === index).flatMap(({ numbers }) => numbers);
          const numbers = [...new Set([...(index === 0 ? opens : []), ...own])];
          return { text: sentence, numbers, paragraph, stretch: `${paragraph} ${u} ${s}` };
        });
      }),
    ),
  );
}

/** Paragraphs of units that a sentence does not cross: a list item, or lines of running text put together. */
function paragraphsOf(draft: string): string[][] {
  const paragraphs = draft
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const units: string[] = [];
      let before: string | null = null;
      for (const line of paragraph.split('\n')) {
        const [, ...names] = line.length <= LONGEST_LABEL ? (NAMING.exec(line) ?? []) : [];
        const name = names.find((each) => each !== undefined);
        const isText = name === undefined && !HEADING.test(line) && line.trim() !== '' && !RULE.test(line);
        if (name !== undefined) units.push(name);
        else if (isText && (before === null || LIST_MARK.test(line) || isApart(before, line))) {
          units.push(line.replace(LIST_MARK, ''));
        } else if (isText) units[units.length - 1] += ` ${line}`;
        before = isText ? line : null;
      }
      return units;
    });
  return withLabels(paragraphs).filter((units) => units.length > 0);
}

/** Puts what only names what follows, "Haiti, January 2010" on a line of its own, before the sentence that follows. */
function withLabels(paragraphs: readonly (readonly string[])[]): string[][] {
  const last = paragraphs.findLastIndex((units) => units.length > 0);
  let label: string | null = null;
  return paragraphs.map((units, p) =>
    units.flatMap((unit, u) => {
      if (isLabel(unit) && !(p === last && u === units.length - 1)) {
        label = unit.trim();
        return [];
      }
      const labelled: string = label === null ? unit : `${label}: ${unit.trimStart()}`;
      label = null;
      return [labelled];
    }),
  );
}

function isLabel(unit: string): boolean {
  return (
    unit.length <= LONGEST_LABEL &&
    WORDY.test(unit) &&
    unit.search(MARKERS) < 0 &&
    !/[\p{Sentence_Terminal}…\p{P}]\s*$/u.test(unit.replace(/[)\]”"’*_]+\s*$/u, 'a'))
  );
}

/** Whether a line does not go on with the sentence of the line before it. */
function isApart(before: string, line: string): boolean {
  if (GOES_ON.test(line)) return false;
  const isMarked = CLOSING_MARKERS.test(before);
  if (OPENING_MARKERS.test(line)) return OPENING_MARKERS.test(before) && !isMarked;
  if (isMarked) return WORDY.test(before.replace(MARKERS, ''));
  return before.length < SHORTEST_WRAPPED && !/[\p{Sentence_Terminal}…\p{P}]\s*$/u.test(before);
}

/** A stretch of a unit, with the numbers of its first sentence, and those that stand in it or after it. */
interface Stretch {
  text: string;
  readonly opens: readonly number[];
  /** By where in the text. */
  readonly marks: { readonly at: number; readonly numbers: readonly number[] }[];
}

function stretchesOf(unit: string): Stretch[] {
  if (isMarkedBefore(unit)) return markedBefore(unit);
  const found: Stretch[] = [];
  let current: Stretch = { text: '', opens: [], marks: [] };
  let at = 0;
  for (const marker of unit.matchAll(MARKERS)) {
    current.text += unit.slice(at, marker.index);
    at = marker.index + marker[0].length;
    // What it stands after counts: the space before it may be trimmed.
    current.marks.push({ at: current.text.trimEnd().length, numbers: numbersIn(marker[0]) });
    const rest = unit.slice(at, at + LOOK_AHEAD);
    const stop = STOP.exec(rest)?.[0] ?? '';
    const hasEnded = ENDED.test(current.text.slice(-LOOK_AHEAD));
    if (stop !== '' && !hasEnded) current.text = current.text.trimEnd() + stop.trim();
    at += stop.length;
    if (hasEnded || stop !== '' || rest.trim() === '') {
      found.push(current);
      current = { text: '', opens: [], marks: [] };
    } else current.text += ' ';
  }
  current.text += unit.slice(at);
  return [...found, current];
}

/** Enough to see a stop and what closes after it. */
const LOOK_AHEAD = 40;

/**
 * "[1] Traffic fell. [2] Revenue rose.": numbers stand before the sentence that they belong to. What comes directly after
 * the first sentence tells, so that a draft that goes on is not read in another way.
 */
function isMarkedBefore(unit: string): boolean {
  if (!OPENING_MARKERS.test(unit)) return false;
  const [first, second] = unit.matchAll(MARKERS);
  const stretch = unit.slice(first.index + first[0].length, second?.index);
  if (second === undefined || sentences(stretch).length > 1) return true;
  return ENDED.test(stretch) && numbersIn(first[0]).join() !== numbersIn(second[0]).join();
}

function markedBefore(unit: string): Stretch[] {
  const found: Stretch[] = [];
  const markers = [...unit.matchAll(MARKERS)];
  for (const [m, marker] of markers.entries()) {
    const text = unit.slice(marker.index + marker[0].length, markers[m + 1]?.index);
    const numbers = numbersIn(marker[0]);
    const before = found.at(-1);
    // After the last sentence there is none that they could belong to.
    if (m === markers.length - 1 && !WORDY.test(text) && before !== undefined) {
      before.marks.push({ at: before.text.length, numbers });
    } else found.push({ text, opens: numbers, marks: [] });
  }
  return found;
}

/** One line of plain text that ends as a sentence does. */
function tidied(text: string): string {
  const bare = withoutUnseen(text)
    // What stood around markers.
    .replace(/ ?\([\s,;]*\)/g, '')
    .replace(/\*{2,}/g, '')
    .replace(/(^|[\s("'“‘])__(?=\S)/g, '$1')
    .replace(/__(?=$|[\s.,;:!?)"'”’])/g, '');
  const plain = plainText(bare).replace(/ (?=[,;:.!?])/g, '');
  return plain === '' ? '' : endSentence(plain);
}

/** A bracket that cites by number, by its place in the text. */
export interface NumberedMarker {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly number[];
}

/** All brackets of a text that are read as citing by number, in their order. */
export function numberedMarkers(text: string): NumberedMarker[] {
  return [...text.matchAll(MARKER)].map(({ 0: whole, 1: list, index }) => ({
    start: index,
    end: index + whole.length,
    numbers: numbersOfList(list),
  }));
}

/** The numbers that markers hold. */
function numbersIn(markers: string): number[] {
  return [...markers.matchAll(MARKER)].flatMap(([, list]) => numbersOfList(list));
}

/** The numbers of a list: "1, 3-5 and 9". */
export function numbersOfList(list: string): number[] {
  return list.split(/\s*(?:[,;]|and|&)\s*/i).flatMap((part) => {
    const [from, to = from] = (part.match(/\d+/g) ?? []).map(Number);
    if (from === undefined || to < from || to - from > LONGEST_RANGE) return from === undefined ? [] : [from];
    return Array.from({ length: to - from + 1 }, (_, step) => from + step);
  });
}
