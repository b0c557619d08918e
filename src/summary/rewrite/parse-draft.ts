import { sentences } from '../../documents/sentences.ts';
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
const EMPHASIS = /(\*\*|__)(?=\S)([\s\S]*?\S)\1/gu;
/** A range longer than this is a misprint. */
const LONGEST_RANGE = 50;

/**
 * Reads a draft: sentences, each with the numbers cited after (or inside) it. A sentence before one that is cited, without
 * numbers of its own, has none. Of a draft that goes on, all sentences but the last stay as they are.
 */
export function parseDraft(draft: string): DraftSentence[] {
  return paragraphsOf(draft).flatMap((paragraph, index) =>
    paragraph.flatMap((line) => sentencesOf(line).map((sentence) => ({ ...sentence, paragraph: index }))),
  );
}

/** Paragraphs of units that a sentence does not cross: a list item, or lines of running text put together. */
function paragraphsOf(draft: string): string[][] {
  return draft
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const units: string[] = [];
      for (const line of paragraph.split('\n')) {
        if (HEADING.test(line) || line.trim() === '' || /^\s*(?:-{3,}|\*{3,}|`{3,}.*)\s*$/.test(line)) continue;
        if (LIST_MARK.test(line) || units.length === 0) units.push(line.replace(LIST_MARK, ''));
        else units[units.length - 1] += `\n${line}`;
      }
      return units;
    })
    .filter((units) => units.length > 0);
}

function sentencesOf(line: string): Omit<DraftSentence, 'paragraph'>[] {
  if (OPENING_MARKERS.test(line) && !CLOSING_MARKERS.test(line)) return markedBefore(line);
  const found: Omit<DraftSentence, 'paragraph'>[] = [];
  let text = '';
  let numbers: number[] = [];
  const close = (): void => {
    found.push(...split(text, numbers));
    text = '';
    numbers = [];
  };
  let at = 0;
  for (const marker of line.matchAll(MARKERS)) {
    text += line.slice(at, marker.index);
    at = marker.index + marker[0].length;
    numbers.push(...numbersIn(marker[0]));
    const stop = STOP.exec(line.slice(at))?.[0] ?? '';
    const isEnd = ENDED.test(text) || stop !== '' || line.slice(at).trim() === '';
    if (stop !== '' && !ENDED.test(text)) text = text.trimEnd() + stop.trim();
    at += stop.length;
    if (isEnd) close();
    else text += ' ';
  }
  text += line.slice(at);
  close();
  return found;
}

/** "[1] Traffic fell. [2] Revenue rose.": numbers stand before the sentence that they belong to. */
function markedBefore(line: string): Omit<DraftSentence, 'paragraph'>[] {
  const markers = [...line.matchAll(MARKERS)];
  return markers.flatMap((marker, m) => {
    const stretch = line.slice(marker.index + marker[0].length, markers[m + 1]?.index);
    const numbers = [...new Set(numbersIn(marker[0]))];
    return split(stretch, []).map((sentence, s) => (s === 0 ? { ...sentence, numbers } : sentence));
  });
}

/** The sentences of a stretch that ends with markers: the last has them. */
function split(stretch: string, numbers: readonly number[]): Omit<DraftSentence, 'paragraph'>[] {
  const spans = sentences(stretch);
  return spans.flatMap(({ start, end }, index) => {
    const text = tidied(stretch.slice(start, end));
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    return [{ text, numbers: index === spans.length - 1 ? [...new Set(numbers)] : [] }];
  });
}

/** One line of plain text that ends as a sentence does. */
function tidied(text: string): string {
  const plain = plainText(text.replace(EMPHASIS, '$2')).replace(/ +(?=[,;:.!?])/g, '');
  return plain === '' ? '' : endSentence(plain);
}

function numbersIn(markers: string): number[] {
  return [...markers.matchAll(MARKER)].flatMap(([, list]) =>
    list.split(/\s*(?:[,;]|and|&)\s*/i).flatMap((part) => {
      const [from, to = from] = (part.match(/\d+/g) ?? []).map(Number);
      if (from === undefined || to < from || to - from > LONGEST_RANGE) return from === undefined ? [] : [from];
      return Array.from({ length: to - from + 1 }, (_, step) => from + step);
    }),
  );
}
