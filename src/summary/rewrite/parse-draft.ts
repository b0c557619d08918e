import { withoutUnseen } from '../../models/index.ts';
import { CLOSING, citedNumbers, MARKERS, OPENING_MARKERS, sentences } from '../../text/index.ts';
import { plainText } from '../plain-text.ts';
import { endSentence } from '../sentence-text.ts';
import { unitsOf } from './draft-units.ts';

/** A sentence of a model's draft with the numbers it cites, in the order of their first mention. */
export interface DraftSentence {
  readonly text: string;
  readonly numbers: readonly number[];
  /** Index of its paragraph in the draft. */
  readonly paragraph: number;
  /** Tells the items of a list apart; absent outside lists. */
  readonly item?: number | undefined;
  /** What the list that it belongs to stands under, without a colon: nobody has held it against anything. */
  readonly label?: string | undefined;
}

const ENDED = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]*\s*$/u;
const STOP = /^\s*[\p{Sentence_Terminal}…]+[\p{Pe}\p{Pf}"']*/u;
const WORDY = /[\p{L}\p{N}]/u;

/** A sentence, and the stretch up to a marker, or to the end of a line, that it was found in. */
interface Found extends DraftSentence {
  readonly stretch: string;
}

/**
 * Reads a draft: sentences, each with the numbers cited after (or inside) it. A sentence before one that is cited, without
 * numbers of its own, has none; in an item of a list, whose numbers stand at its end, it has those.
 */
export function parseDraft(draft: string): DraftSentence[] {
  return foundIn(draft).map(withoutStretch);
}

/** Markup that some models write for emphasis and lists. */
const TAG = /<\/?(?:a|b|i|em|strong|p|br|span|u|sub|sup|div|code|mark|small|ul|ol|li|h[1-6])(?:\s[^<>]{0,300})?\/?>/gi;

/** What a marker or a line ends with. */
const MAY_STAND = new RegExp(`[${CLOSING}\\n](?=[^${CLOSING}\\n]*$)`);

/**
 * The sentences of a draft that stand however it goes on: all up to its last marker or line end, but for those of the last
 * stretch, to which another marker, or the end of a quotation, may belong.
 */
export function standingSentences(draft: string): DraftSentence[] {
  const end = MAY_STAND.exec(draft)?.index ?? -1;
  const found = foundIn(draft.slice(0, end + 1));
  const last = found.at(-1)?.stretch;
  return found.filter(({ stretch }) => stretch !== last).map(withoutStretch);
}

function withoutStretch({ stretch: _, ...sentence }: Found): DraftSentence {
  return sentence;
}

function foundIn(draft: string): Found[] {
  return unitsOf(draft.replace(TAG, '')).flatMap(({ text: unit, paragraph, item, label }, u) => {
    const name = label === null ? '' : plainLine(label);
    const layout = { paragraph, ...(item !== null && { item }), ...(WORDY.test(name) && { label: name }) };
    return stretchesOf(unit).flatMap(({ text, opens, marks }, s) => {
      const spans = sentences(text)
        .map(({ start, end }) => ({ sentence: tidied(text.slice(start, end)), end }))
        .filter(({ sentence }) => WORDY.test(sentence));
      const placed = marks.map(({ at, numbers }) => {
        const span = spans.findIndex(({ end }) => at <= end);
        return { numbers, span: span < 0 ? spans.length - 1 : span };
      });
      const cited: number[][] = spans.map((_, index) => (index === 0 ? [...opens] : []));
      for (const { numbers, span } of placed) cited[span]?.push(...numbers);
      if (item !== null) {
        for (let index = spans.length - 2; index >= 0; index--) {
          if (cited[index].length === 0) cited[index] = cited[index + 1];
        }
      }
      return spans.map(({ sentence }, index) => {
        const numbers = [...new Set(cited[index])];
        return { text: sentence, numbers, ...layout, stretch: `${u} ${s}` };
      });
    });
  });
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
  return ENDED.test(stretch) && citedNumbers(first[0]).join() !== citedNumbers(second[0]).join();
}

function markedBefore(unit: string): Stretch[] {
  const found: Stretch[] = [];
  const markers = [...unit.matchAll(MARKERS)];
  for (const [m, marker] of markers.entries()) {
    const text = unit.slice(marker.index + marker[0].length, markers[m + 1]?.index);
    const numbers = citedNumbers(marker[0]);
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
  const plain = plainLine(text);
  return plain === '' ? '' : endSentence(plain);
}

function plainLine(text: string): string {
  const bare = withoutUnseen(text)
    // What stood around markers.
    .replace(/ ?\([\s,;]*\)/g, '')
    .replace(/\*{2,}/g, '')
    .replace(/(^|[\s("'“‘])__(?=\S)/g, '$1')
    .replace(/__(?=$|[\s.,;:!?)"'”’])/g, '');
  return plainText(bare).replace(/ (?=[,;:.!?])/g, '');
}
