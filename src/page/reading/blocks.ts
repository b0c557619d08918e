import type { Span } from '../../client/index.ts';

/** A block gathers lines until it has this many characters, and a line of more than so many is cut. */
const FEWEST = 2_000;
const MAX = 6_000;

/**
 * Cuts a text into blocks that are laid out one by one, after line breaks; a very long line is cut after a sentence, or else
 * between words. Joined, the blocks are the text.
 */
export function blocksOf(text: string): Span[] {
  const blocks: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfBlock(text, start);
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

function endOfBlock(text: string, start: number): number {
  if (text.length - start <= FEWEST) return text.length;
  const lineBreak = /\r\n|\n|\r/g;
  lineBreak.lastIndex = FEWEST - 1;
  const found = lineBreak.exec(text.slice(start, start + MAX));
  if (found !== null) {
    const end = start + found.index + found[0].length;
    return found[0] === '\r' && text[end] === '\n' ? end + 1 : end;
  }
  if (text.length - start <= MAX) return text.length;
  const line = text.slice(start + FEWEST, start + MAX);
  const sentence = line.lastIndexOf('. ');
  if (sentence >= 0) return start + FEWEST + sentence + 2;
  const word = line.lastIndexOf(' ');
  return word >= 0 ? start + FEWEST + word + 1 : betweenCharacters(text, start + MAX);
}

/** What may not begin a block: the second half of a pair, marks on a letter, and what joins emoji. */
const CONTINUES = /^(?:[\udc00-\udfff]|\p{M}|\u200d)/u;

/** The last place, up to one, that is not within what is read as one character; within very long ones it is that place. */
function betweenCharacters(text: string, place: number): number {
  for (let at = place; at > place - 64; at--) {
    const isWithin = isLowHalf(text, at) || CONTINUES.test(text.slice(at, at + 2)) || text[at - 1] === '\u200d';
    if (!isWithin) return at;
  }
  return isLowHalf(text, place) ? place - 1 : place;
}

function isLowHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
