import { withoutUnseen } from '../../models/index.ts';
import { CLOSING, citedNumbers, endsInMarkers, MARKERS, OPENING_MARKERS, sentences } from '../../text/index.ts';
import { endSentence, plainText } from '../sentence-text.ts';

/** A sentence of a model's draft with the numbers it cites, in the order of their first mention. */
export interface DraftSentence {
  readonly text: string;
  readonly numbers: readonly number[];
  readonly paragraph: number;
  readonly item?: number | undefined;
  /** The label of its list, without a colon; not verified yet. */
  readonly label?: string | undefined;
}

const ENDED = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]*\s*$/u;
const STOP = /^\s*[\p{Sentence_Terminal}…]+[\p{Pe}\p{Pf}"']*/u;
const WORDY = /[\p{L}\p{N}]/u;

interface Found extends DraftSentence {
  readonly stretch: string;
}

/**
 * Parses a draft into sentences with the numbers cited after or inside each. An uncited sentence before a cited one has
 * none; within a list item it shares the item's numbers.
 */
export function parseDraft(draft: string): DraftSentence[] {
  return foundIn(draft).map(({ stretch: _, ...sentence }) => sentence);
}

const TAG = /<\/?(?:a|b|i|em|strong|p|br|span|u|sub|sup|div|code|mark|small|ul|ol|li|h[1-6])(?:\s[^<>]{0,300})?\/?>/gi;

const MAY_STAND = new RegExp(`[${CLOSING}\\n](?=[^${CLOSING}\\n]*$)`);

/**
 * The sentences of a draft that no continuation can change: all up to the last marker or line end, except those of the
 * last stretch, which another marker or a closing quotation mark may join.
 */
export function standingSentences(draft: string): DraftSentence[] {
  const end = MAY_STAND.exec(draft)?.index ?? -1;
  const found = foundIn(draft.slice(0, end + 1));
  const last = found.at(-1)?.stretch;
  return found.flatMap(({ stretch, ...sentence }) => (stretch === last ? [] : [sentence]));
}

function foundIn(draft: string): Found[] {
  return unitsOf(draft.replace(TAG, '')).flatMap(({ text: unit, paragraph, item, label }, u) => {
    const name = label === null ? '' : plainLine(label);
    const layout = { paragraph, ...(item !== null && { item }), ...(WORDY.test(name) && { label: name }) };
    return stretchesOf(unit).flatMap(({ text, opens, marks }, s) => {
      const spans = sentences(text)
        .map(({ start, end }) => ({ sentence: tidied(text.slice(start, end)), end }))
        .filter(({ sentence }) => WORDY.test(sentence));
      const cited: number[][] = spans.map((_, index) => (index === 0 ? [...opens] : []));
      let span = 0;
      for (const { at, numbers } of marks) {
        while (span < spans.length - 1 && at > spans[span].end) span++;
        cited.at(span)?.push(...numbers);
      }
      const numbers = cited.map((each) => [...new Set(each)]);
      if (item !== null) {
        for (let index = spans.length - 2; index >= 0; index--) {
          if (numbers[index].length === 0) numbers[index] = numbers[index + 1];
        }
      }
      return spans.map(({ sentence }, index) => {
        return { text: sentence, numbers: numbers[index], ...layout, stretch: `${u} ${s}` };
      });
    });
  });
}

interface Stretch {
  text: string;
  readonly opens: readonly number[];
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
    // Trim first: the space before a marker may be removed later.
    current.marks.push({ at: current.text.trimEnd().length, numbers: citedNumbers(marker[0]) });
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

/** Enough to see a full stop and the closing marks after it. */
const LOOK_AHEAD = 40;

/**
 * "[1] Traffic fell. [2] Revenue rose.": markers precede their sentences. The text directly after the first sentence
 * decides, so that a growing draft keeps its reading.
 */
function isMarkedBefore(unit: string): boolean {
  if (!OPENING_MARKERS.test(unit)) return false;
  const [first, second] = unit.matchAll(MARKERS);
  const stretch = unit.slice(first.index + first[0].length, second?.index);
  if (second === undefined || sentences(stretch).length > 1) return true;
  return ENDED.test(stretch) && citedNumbers(first[0]).join() !== citedNumbers(second[0]).join();
}

function markedBefore(unit: string): Stretch[] {
  const found: Stretch[] = [];
  const markers = [...unit.matchAll(MARKERS)];
  for (const [m, marker] of markers.entries()) {
    const text = unit.slice(marker.index + marker[0].length, markers[m + 1]?.index);
    const numbers = citedNumbers(marker[0]);
    const before = found.at(-1);
    if (m === markers.length - 1 && !WORDY.test(text) && before !== undefined) {
      before.marks.push({ at: before.text.length, numbers });
    } else found.push({ text, opens: numbers, marks: [] });
  }
  return found;
}

function tidied(text: string): string {
  const plain = plainLine(text);
  return plain === '' ? '' : endSentence(plain);
}

function plainLine(text: string): string {
  const bare = withoutUnseen(text)
    .replace(/ ?\([\s,;]*\)/g, '')
    .replace(/\*{2,}|~~|(?<!\S)\|+(?!\S)/g, '')
    .replaceAll('`', "'")
    .replace(/(^|[\s("'“‘])__(?=\S)/g, '$1')
    .replace(/__(?=$|[\s.,;:!?)"'”’])/g, '');
  return plainText(bare).replace(/ (?=[,;:.!?](?![\p{L}\p{N}]))/gu, '');
}

const LIST_MARK = /^\s*(?:(?:[-*+•‣▪◦–—]|\(?\d{1,3}[.)])\s+)+/u;
const HEADING = /^\s*#{1,6}\s/u;
const NAMING = /^\s*(?:#{2,6}\s+(.+?)[\s:#]*|\*\*([^*]+?):?\*\*:?\s*)$/u;
/** A longer line, in UTF-16 units, is a sentence rather than a label. */
const MAX_LABEL_LENGTH = 80;
const RULE = /^\s*(?:-{3,}|\*{3,}|`{3,}.*)\s*$/;
const GOES_ON = /^\s*[\p{Ll},;:.)\]]/u;
const INDENTED = /^(?:\t| {2})/;
const LINE_ENDED = /[\p{Sentence_Terminal}…\p{P}]\s*$/u;
const COLON = /[*_\s]*[:：][*_\s]*$/u;
/** A remark to the requester that names nothing. */
const ANNOUNCING = /^[\s*_]*(?:sure|certainly|of course|okay|here(?:['’]s| is| are)|below|the following)\b/iu;
/** An unfinished line shorter than this was not wrapped. */
const MIN_WRAPPED_LENGTH = 50;

/** "Haiti, January 2010: Trams run.", and the same for what stands under a label. */
export function labelled(label: string | undefined, text: string): string {
  return label === undefined ? text : `${label}: ${text}`;
}

interface Line {
  text: string;
  /** Index of its paragraph. A list is one paragraph even with blank lines between its items. */
  readonly paragraph: number;
  readonly item: number | null;
}

function linesOf(draft: string): Line[] {
  const lines: Line[] = [];
  let paragraph = -1;
  let items = 0;
  for (const block of draft.replace(/\r\n?/g, '\n').split(/\n\s*\n/)) {
    let before: string | null = null;
    let isOpening = true;
    for (const line of block.split('\n')) {
      const [, ...names] = line.length <= MAX_LABEL_LENGTH ? (NAMING.exec(line) ?? []) : [];
      const name = names.find((each) => each !== undefined);
      const isText = name === undefined && !HEADING.test(line) && line.trim() !== '' && !RULE.test(line);
      const mark = isText ? LIST_MARK.exec(line)?.[0] : undefined;
      if (isText && before !== null && mark === undefined && !standsApart(before, line)) {
        lines[lines.length - 1].text += ` ${line}`;
      } else if (isText || name !== undefined) {
        const last = lines.at(-1)?.item ?? null;
        if (mark !== undefined) items++;
        const item = mark !== undefined ? items : isText && INDENTED.test(line) ? last : null;
        // A list is one paragraph.
        if (isOpening && (item === null || last === null)) paragraph++;
        lines.push({ text: name ?? line.slice(mark?.length ?? 0), paragraph, item });
        isOpening = false;
      }
      before = isText ? line : null;
    }
  }
  return lines;
}

/**
 * Puts a naming line ("Haiti, January 2010") before the next sentence; before a list, it or a lead-in ("Still open:")
 * becomes the label of all items, without its markers.
 */
function unitsOf(draft: string) {
  const lines = linesOf(draft);
  let name: string | undefined;
  let over: string | null = null;
  return lines.flatMap(({ text, ...place }, l) => {
    const next = lines[l + 1];
    if (place.item === null) over = null;
    const bare = text.trimEnd().endsWith(':') ? text : text.replace(MARKERS, '');
    if (place.item === null && next?.item != null && (isLabel(text) || isLeadIn(bare))) {
      over = bare.replace(COLON, '');
      name = undefined;
      return [];
    }
    if (next?.item === null && isLabel(text)) {
      name = text.trim();
      return [];
    }
    const unit = { text: labelled(name, name === undefined ? text : text.trimStart()), ...place };
    name = undefined;
    return [{ ...unit, label: place.item === null ? null : over }];
  });
}

function isLabel(text: string): boolean {
  return isShort(text) && !LINE_ENDED.test(text.replace(/[)\]”"’*_]+\s*$/u, 'a'));
}

function isLeadIn(text: string): boolean {
  return COLON.test(text) && isShort(text) && !ANNOUNCING.test(text) && sentences(text).length === 1;
}

function isShort(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && WORDY.test(text) && text.search(MARKERS) < 0;
}

function standsApart(before: string, line: string): boolean {
  if (GOES_ON.test(line)) return false;
  const isMarked = endsInMarkers(before);
  if (OPENING_MARKERS.test(line)) return OPENING_MARKERS.test(before) && !isMarked;
  if (isMarked) return WORDY.test(before.replace(MARKERS, ''));
  return before.length < MIN_WRAPPED_LENGTH && !LINE_ENDED.test(before);
}
