import { labelled } from '../../summary/rewrite/draft-units.ts';
import { parseDraft } from '../../summary/rewrite/parse-draft.ts';
import { InvalidEvaluationError } from '../invalid-evaluation-error.ts';
import type { CitedBullet } from '../../contract/evaluation-request.ts';
import { type MarkedDocuments, resolveMarkers } from './resolve-markers.ts';

/** What a text may be split into: each is judged by itself. */
const MOST_PIECES = 1000;
const HEADINGS = /^[^\S\n]*#{1,6}[^\S\n].*$/gm;
const ITEM = /^\s*(?:[-*+•‣▪◦–—]|\(?\d{1,3}[.)])\s+/u;

/**
 * Splits a text with markers, "… [1][2]. …", plain or Markdown, into its sentences with the ids of the documents that each
 * cites, as a model's draft is read: a marker belongs to the sentence that it stands in or directly after, and one before
 * the first words of a line to what follows. Headings (“## …”) are left out.
 *
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for a marker that stands for no document, and for more than 1,000 sentences
 */
export function splitSentences(text: string, documents: MarkedDocuments, pointer: string): CitedBullet[] {
  const resolved = resolveMarkers(text, documents, pointer);
  return checked(sentencesOf(withoutHeadings(resolved.text), resolved.cited), pointer);
}

/**
 * The same into bullets: the items of a list, each whole with the lines that go on with it up to an empty one, and the
 * sentences of what is no list.
 *
 * @param pointer JSON pointer to the text
 * @throws InvalidEvaluationError for a marker that stands for no document, and for more than 1,000 bullets
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
    // What stands over a list is judged with its first sentence: it may state something.
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
  if (pieces.length <= MOST_PIECES) return pieces;
  throw new InvalidEvaluationError(pointer, `is more than ${MOST_PIECES} sentences or bullets`);
}
