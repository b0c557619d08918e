import { labelled, parseDraft } from '../summary/index.ts';
import {
  CLOSING,
  citationMarkers,
  countCited,
  findMarkers,
  type Marker,
  type NumberedMarker,
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

interface ResolvedText {
  readonly text: string;
  readonly cited: readonly string[];
}

/** Maximum number of citations of a text: markers have at most four digits. */
const MAX_CITED = 9999;
const NUMBER = /^\d+$/;
/** Target of a marker that is a Markdown link: "[[1]](https://…)", "[1](#sources)". */
const LINK = /\((?:https?:\/\/|[#/])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*(?:\s+"[^"\n]*")?\)/uy;

/**
 * Resolves the markers of a text: "[d1, d2]" by id, "[1][2]", "[1-3]" and "[Source 2]" by number, also as Markdown
 * links. A number is a place, from 1, in `sources` or else in `documents`; if an id of `documents` is itself a number
 * and there are no `sources`, numbers are ids.
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for the first marker that names no document, and for more than 9,999 citations
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
  const numbers = new Map<string, number>();
  let resolved = '';
  let at = 0;
  for (const { start, end, cited } of markers) {
    const cites = cited
      .flatMap((each) => namesOf(each))
      .map((named) => {
        const id = idOf(named);
        if (id !== undefined) return numberOf(id, numbers);
        const problem = `${citationMarkers([named])} (at character ${start}) stands for ${noneOf(places ?? [...known])}`;
        throw new InvalidEvaluationError(pointer, problem);
      });
    resolved += text.slice(at, start) + citationMarkers(cites);
    at = end;
  }
  return { text: resolved + text.slice(at), cited: [...numbers.keys()] } satisfies ResolvedText;
}

/** Brackets with ids or numbers, or with numbers after a word: "[Source 2]". */
function markersIn(text: string, known: ReadonlySet<string>): Marker[] {
  const found = findMarkers(text, known);
  const starts = new Set(found.map(({ start }) => start));
  const worded = numberedMarkers(text).filter(({ start }) => !starts.has(start));
  const markers: Marker[] = [];
  for (const marker of [...found, ...worded.map(asMarker)].sort((a, b) => a.start - b.start)) {
    // Brackets in the address of a link are not citations.
    if (marker.start >= (markers.at(-1)?.end ?? 0)) markers.push(asLink(marker, text));
  }
  return markers;
}

function asLink({ start, end, cited }: Marker, text: string): Marker {
  const isDouble = text[start - 1] === '[' && text[end] === ']';
  const inner = isDouble ? { start: start - 1, end: end + 1 } : { start, end };
  LINK.lastIndex = inner.end;
  return { ...inner, end: inner.end + (LINK.exec(text)?.[0].length ?? 0), cited };
}

function asMarker({ start, end, numbers }: NumberedMarker): Marker {
  return { start, end, cited: numbers.map(String) };
}

function namesOf(cited: Marker['cited'][number]): string[] {
  if (typeof cited === 'string') return [cited];
  return Array.from({ length: cited.to - cited.from + 1 }, (_, step) => String(cited.from + step));
}

function numberOf(id: string, numbers: Map<string, number>): number {
  const number = numbers.get(id) ?? numbers.size + 1;
  numbers.set(id, number);
  return number;
}

function noneOf(ids: readonly string[]): string {
  return ids.length === 1 ? 'none: there is one document' : `none of the ${ids.length} documents`;
}

/** Maximum number of pieces of a text, each judged separately. */
const MAX_PIECES = 1000;
const HEADINGS = /^[^\S\n]*#{1,6}[^\S\n].*$/gm;
const ITEM = /^\s*(?:[-*+•‣▪◦–—]|\(?\d{1,3}[.)])\s+/u;

/**
 * Splits a text with markers, plain or Markdown, into sentences with the ids that each cites. A marker belongs to the
 * sentence around or directly before it; one at the start of a line to the following text. Skips headings.
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for a marker that names no document, and for more than 1,000 sentences
 */
export function splitSentences(text: string, documents: MarkedDocuments, pointer: string): CitedBullet[] {
  const resolved = resolveMarkers(text, documents, pointer);
  return checked(sentencesOf(withoutHeadings(resolved.text), resolved.cited), pointer);
}

/**
 * Splits a text into bullets: whole list items with their continuation lines up to an empty one, and sentences outside
 * lists.
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for a marker that names no document, and for more than 1,000 bullets
 */
export function splitBullets(text: string, documents: MarkedDocuments, pointer: string): CitedBullet[] {
  const resolved = resolveMarkers(text, documents, pointer);
  const bullets = piecesOf(withoutHeadings(resolved.text)).flatMap(({ isItem, lines }) => {
    const sentences = sentencesOf(lines.join('\n'), resolved.cited);
    if (!isItem || sentences.length === 0) return sentences;
    return {
      text: sentences.map((sentence) => sentence.text).join(' '),
      documents: [...new Set(sentences.flatMap((sentence) => sentence.documents))],
    };
  });
  return checked(bullets, pointer);
}

function sentencesOf(text: string, cited: readonly string[]): CitedBullet[] {
  const sentences = parseDraft(text);
  return sentences.map(({ text, numbers, label }, index) => ({
    // Judge a list's label with its first sentence, since it may state something.
    text: label === undefined || label === sentences[index - 1]?.label ? text : labelled(label, text),
    documents: numbers.flatMap((number) => cited[number - 1] ?? []),
  }));
}

function withoutHeadings(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HEADINGS, '');
}

interface Piece {
  readonly isItem: boolean;
  readonly lines: string[];
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const isItem = ITEM.test(line);
    const last = pieces.at(-1);
    if (isItem || last === undefined || (last.isItem && line.trim() === '')) pieces.push({ isItem, lines: [line] });
    else last.lines.push(line);
  }
  return pieces;
}

function checked(pieces: CitedBullet[], pointer: string): CitedBullet[] {
  if (pieces.length <= MAX_PIECES) return pieces;
  throw new InvalidEvaluationError(pointer, `is more than ${MAX_PIECES} sentences or bullets`);
}

interface StrippedText {
  readonly text: string;
  restore(piece: string): string;
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly instead: '' | ' ';
}

const WORDY = /[\p{L}\p{N}]/u;

/**
 * Removes markers with their white space, separators and round brackets, so that a judge reads plain text.
 * @param known ids of the documents that are known, as for {@link findMarkers}
 */
export function stripMarkers(original: string, known: ReadonlySet<string>): StrippedText {
  const cuts = cutsIn(original, known);
  let text = '';
  let at = 0;
  const kept: { readonly there: number; readonly here: number }[] = [];
  for (const { start, end, instead } of [...cuts, { start: original.length, end: original.length, instead: '' }]) {
    kept.push({ there: at, here: text.length });
    text += original.slice(at, start) + instead;
    at = end;
  }
  const originalOf = (place: number) => {
    const piece = kept.findLast(({ here }) => here <= place) ?? { there: 0, here: 0 };
    return piece.there + place - piece.here;
  };
  const restore = (piece: string) => {
    const place = piece === '' ? -1 : text.indexOf(piece);
    return place < 0 ? piece : original.slice(originalOf(place), originalOf(place + piece.length - 1) + 1);
  };
  return { text, restore };
}

function cutsIn(text: string, known: ReadonlySet<string>): Cut[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of findMarkers(text, known)) {
    const last = runs.at(-1);
    if (last && /^[ \t]*[,;]?[ \t]*$/.test(text.slice(last.end, start))) last.end = end;
    else runs.push({ start, end });
  }
  return runs.map((run) => cutOf(text, run.start, run.end));
}

function cutOf(text: string, from: number, to: number): Cut {
  const isBracketed = text[from - 1] === '(' && text[to] === ')';
  const end = isBracketed ? to + 1 : to;
  let start = isBracketed ? from - 1 : from;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  const isGlued = WORDY.test(text[start - 1] ?? '') && WORDY.test(text[end] ?? '');
  return { start, end, instead: isGlued ? ' ' : '' };
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
