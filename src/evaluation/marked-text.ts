import { LIMITS } from '../contract/index.ts';
import { labelled, parseDraft } from '../summary/index.ts';
import {
  CLOSING,
  citationMarkers,
  citedDocuments,
  countCited,
  findMarkers,
  type Marker,
  numberedMarkers,
  OPENING,
} from '../text/index.ts';
import { InvalidEvaluationError } from './metric.ts';
import type { CitedBullet } from './shapes.ts';

interface MarkedDocuments {
  /** Ids of all documents, in order; if absent, a number is an id. */
  readonly documents?: readonly string[] | undefined;
  /** Ids for [1], [2] and so on, in order; by default those of `documents`. */
  readonly sources?: readonly string[] | undefined;
  readonly others?: readonly string[] | undefined;
}

/** Maximum number of citations of a text: markers have at most four digits. */
const MAX_CITED = 9999;
const NUMBER = /^\d+$/;
/** Target of a marker that is a Markdown link: "[[1]](https://…)", "[1](#sources)". */
const LINK = /\((?:https?:\/\/|[#/])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*(?:\s+"[^"\n]*")?\)/uy;

/**
 * Resolves markers: "[d1, d2]" by id, "[1][2]", "[1-3]" and "[Source 2]" by number, also as Markdown links. A number is a
 * place, from 1, in `sources` or else in `documents`; if an id of `documents` is itself a number and there are no `sources`,
 * numbers are ids.
 * @returns the text with numbered markers, and the ids that they stand for
 */
function resolveMarkers(text: string, { documents, sources, others = [] }: MarkedDocuments, pointer: string) {
  const known = new Set([...(documents ?? []), ...(sources ?? []), ...others]);
  const places = sources ?? (documents?.some((id) => NUMBER.test(id)) ? undefined : documents);
  const idOf = (named: string): string | undefined => {
    if (places !== undefined && NUMBER.test(named)) return places[Number(named) - 1];
    return known.has(named) || (documents === undefined && sources === undefined) ? named : undefined;
  };
  const markers = markersIn(text, known);
  if (countCited(markers) > MAX_CITED) {
    throw new InvalidEvaluationError(pointer, `cites more than ${MAX_CITED} times`);
  }
  const cited = new Map<string, number>();
  let resolved = '';
  let at = 0;
  for (const marker of markers) {
    const ids = citedDocuments([marker]).map((named) => {
      const id = idOf(named);
      if (id !== undefined) return id;
      const { length } = places ?? [...known];
      const none = length === 1 ? 'none: there is one document' : `none of the ${length} documents`;
      const problem = `${citationMarkers([named])} (at character ${marker.start}) stands for ${none}`;
      throw new InvalidEvaluationError(pointer, problem);
    });
    for (const id of ids) cited.set(id, cited.get(id) ?? cited.size + 1);
    resolved += text.slice(at, marker.start) + citationMarkers(ids.map((id) => cited.get(id) ?? 0));
    at = marker.end;
  }
  return { text: resolved + text.slice(at), cited: [...cited.keys()] };
}

/** Brackets with ids or numbers, or with numbers after a word: "[Source 2]". */
function markersIn(text: string, known: ReadonlySet<string>): Marker[] {
  const found = findMarkers(text, known);
  const starts = new Set(found.map(({ start }) => start));
  const worded = numberedMarkers(text)
    .filter(({ start }) => !starts.has(start))
    .map(({ start, end, numbers }) => ({ start, end, cited: numbers.map(String) }));
  const markers: Marker[] = [];
  for (const marker of [...found, ...worded].sort((a, b) => a.start - b.start)) {
    // Brackets in the address of a link are not citations.
    if (marker.start >= (markers.at(-1)?.end ?? 0)) markers.push(asLink(marker, text));
  }
  return markers;
}

function asLink({ start, end, cited }: Marker, text: string): Marker {
  const more = text[start - 1] === '[' && text[end] === ']' ? 1 : 0;
  LINK.lastIndex = end + more;
  return { start: start - more, end: end + more + (LINK.exec(text)?.[0].length ?? 0), cited };
}

/** Maximum number of pieces of a text, each judged separately. */
const MAX_PIECES = 1000;
const HEADINGS = /^[^\S\n\u2028\u2029]*#{1,6}[^\S\n].*$/gm;
const ITEM = /^\s*(?:[-*+•‣▪◦–—]|\(?\d{1,3}[.)])\s+/u;

/**
 * Splits a text with markers, plain or Markdown, into sentences with the ids that each cites. A marker belongs to the
 * sentence around or directly before it; one at the start of a line to the following text. Skips headings.
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for a marker that names no document, and for more than 1,000 sentences
 */
export function splitSentences(text: string, documents: MarkedDocuments, pointer: string): CitedBullet[] {
  return split(text, documents, pointer, (resolved) => [{ isItem: false, lines: [resolved] }]);
}

/**
 * Splits a text into bullets: whole list items with their continuation lines up to an empty one, and sentences outside
 * lists.
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for a marker that names no document, and for more than 1,000 bullets
 */
export function splitBullets(text: string, documents: MarkedDocuments, pointer: string): CitedBullet[] {
  return split(text, documents, pointer, piecesOf);
}

interface Piece {
  readonly isItem: boolean;
  readonly lines: string[];
}

function split(
  text: string,
  documents: MarkedDocuments,
  pointer: string,
  parts: (resolved: string) => readonly Piece[],
): CitedBullet[] {
  const { text: resolved, cited } = resolveMarkers(text, documents, pointer);
  const plain = resolved.replace(/\r\n?/g, '\n').replace(HEADINGS, '');
  const pieces = parts(plain).flatMap(({ isItem, lines }) => {
    const sentences = sentencesOf(lines.join('\n'), cited, pointer);
    if (!isItem || sentences.length === 0) return sentences;
    const whole = sentences.map((sentence) => sentence.text).join(' ');
    return { text: whole, documents: [...new Set(sentences.flatMap((sentence) => sentence.documents))] };
  });
  if (pieces.length > MAX_PIECES) throw tooMany(pointer);
  const most = LIMITS.statementCharacters;
  if (pieces.every((piece) => piece.text.length <= most)) return pieces;
  throw new InvalidEvaluationError(pointer, `has a sentence or bullet of more than ${most} characters`);
}

function tooMany(pointer: string): InvalidEvaluationError {
  return new InvalidEvaluationError(pointer, `is more than ${MAX_PIECES} sentences or bullets`);
}

function sentencesOf(text: string, cited: readonly string[], pointer: string): CitedBullet[] {
  const sentences = parseDraft(text);
  if (sentences.length > MAX_PIECES) throw tooMany(pointer);
  return sentences.map(({ text, numbers, label }, index) => ({
    // Judge a list's label with its first sentence, since it may state something.
    text: label === undefined || label === sentences[index - 1]?.label ? text : labelled(label, text),
    documents: numbers.flatMap((number) => cited[number - 1] ?? []),
  }));
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const lines = text.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  // Lines without signs are bullets too (Laban et al. 2024, section 4.1).
  const isLines = filled.length > 1 && !filled.some((line) => ITEM.test(line));
  for (const line of lines) {
    const isItem = isLines ? line.trim() !== '' : ITEM.test(line);
    const last = pieces.at(-1);
    if (isItem || last === undefined || (last.isItem && line.trim() === '')) pieces.push({ isItem, lines: [line] });
    else last.lines.push(line);
  }
  return pieces;
}

const WORDY = /[\p{L}\p{N}]/u;

/**
 * Removes markers with their white space, separators and round brackets, so that a judge reads plain text.
 * @param known ids of the documents that are known, as for {@link findMarkers}
 */
export function stripMarkers(original: string, known: ReadonlySet<string>) {
  /** Offset in the original of each unit of the text. */
  const offsets: number[] = [];
  let text = '';
  let at = 0;
  const keepUntil = (end: number) => {
    text += original.slice(at, end);
    for (; at < end; at++) offsets.push(at);
  };
  for (const { start, end } of markerRuns(original, known)) {
    keepUntil(start);
    if (WORDY.test(original[start - 1] ?? '') && WORDY.test(original[end] ?? '')) {
      text += ' ';
      offsets.push(start);
    }
    at = end;
  }
  keepUntil(original.length);
  /** A piece of the text with the markers that it has in the original. */
  const restore = (piece: string): string => {
    const place = piece === '' ? -1 : text.indexOf(piece);
    return place < 0 ? piece : original.slice(offsets[place], offsets[place + piece.length - 1] + 1);
  };
  return { text, restore };
}

/** Markers side by side, with the white space before them and the round brackets around them. */
function markerRuns(text: string, known: ReadonlySet<string>): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of findMarkers(text, known)) {
    const last = runs.at(-1);
    if (last && /^[ \t]*(?:[,;][ \t]*)?$/.test(text.slice(last.end, start))) last.end = end;
    else runs.push({ start, end });
  }
  return runs.map(({ start: from, end }) => {
    const more = text[from - 1] === '(' && text[end] === ')' ? 1 : 0;
    let start = from - more;
    while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
    return { start, end: end + more };
  });
}

const BRACKET = new RegExp(
  `[${OPENING}]([^${OPENING}${CLOSING}]{1,80})[${CLOSING}](?=\\s*(?:[${OPENING}(]|[\\p{Sentence_Terminal}.,;:)]|$))`,
  'gmu',
);
const REMARK =
  /^(?:sic|…|\.{2,}|emphasis.*|citation needed|note.*|translated.*|applause|laughter|inaudible.*|crosstalk)$/iu;

/**
 * Names in brackets at the end of a clause, if the document ids are unknown: "fell [d1]." and "fell [Smith 2020; Jones,
 * p. 4]." Splits them at commas and semicolons.
 */
export function citedNames(text: string): Set<string> {
  const names = [...text.matchAll(BRACKET)].flatMap(([, inside]) => {
    const parts = inside.split(/[,;]/).map((part) => part.trim());
    return REMARK.test(inside.trim()) ? [] : parts.filter((part) => WORDY.test(part));
  });
  return new Set(names);
}
