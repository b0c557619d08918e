import { asData } from '../../models/index.ts';
import { type SourceDocument, utf8Length, windows } from '../../text/index.ts';

/**
 * Shares a number of things out over parts of these sizes, in proportion and spread evenly: of more parts than things
 * some get none, at even distances. The shares sum to the number.
 *
 * @param sizes positive
 */
export function shareOut(count: number, sizes: readonly number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let [before, size] = [0, 0];
  return sizes.map((own) => {
    size += own;
    const upTo = Math.round((count * size) / total);
    const share = upTo - before;
    before = upTo;
    return share;
  });
}

/** A part of a document, with what is asked of it. */
export interface ReadingWindow {
  /** As the model is shown it. */
  readonly shown: string;
  readonly bytes: number;
  /** Questions that it is asked for: its share, and one at the least. */
  readonly asked: number;
  /** Questions that it has in the result, where it gives enough: its share, which may be none in a document of more windows. */
  readonly share: number;
}

export interface ReadingRoom {
  /** UTF-8 bytes of a window. */
  readonly windowBytes: number;
  /** UTF-8 bytes of each list of what was said before. */
  readonly noteBytes: number;
  /** Tokens of the answer for so many questions. */
  answerTokens(count: number): number;
}

/** A model that reads more at once overlooks more. */
const MAX_BYTES = 32_000;
const MIN_BYTES = 200;
const RULES_TOKENS = 600;
/** In most scripts a token is more. */
const SAFE_BYTES_PER_TOKEN = 2;
/** Share of the room that a window has, and each of the two lists of what was said before. */
const [WINDOW, NOTES] = [0.8, 0.1];
const OVERLAP = 0.1;

/** How a context is shared between a document, what was said before, and the answer. */
export function readingRoom(contextTokens: number, questions: number): ReadingRoom {
  const answerTokens = (count: number) => Math.min(100 + 150 * count, Math.floor(contextTokens / 3));
  const bytes = SAFE_BYTES_PER_TOKEN * (contextTokens - RULES_TOKENS - answerTokens(questions));
  return {
    windowBytes: Math.min(MAX_BYTES, Math.max(MIN_BYTES, Math.floor(WINDOW * bytes))),
    noteBytes: Math.max(MIN_BYTES, Math.floor(NOTES * bytes)),
    answerTokens,
  };
}

/**
 * The windows that a document is read in, each with its part of the questions by its size; its title stands above every one. None
 * for a document without text.
 */
export function readingWindows(
  { title, text }: SourceDocument,
  questions: number,
  { windowBytes }: ReadingRoom,
): ReadingWindow[] {
  const spans = windows(text, { bytes: windowBytes, overlapBytes: Math.floor(OVERLAP * windowBytes) });
  const parts = spans.map(({ start, end }) => text.slice(start, end));
  const sizes = parts.map((part) => utf8Length(part));
  const shares = shareOut(questions, sizes);
  return parts.map((part, place) => ({
    shown: asData('document', title === undefined ? part : `${title}\n\n${part}`),
    bytes: sizes[place],
    asked: Math.max(1, shares[place]),
    share: shares[place],
  }));
}
