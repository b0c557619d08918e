import { UNSPACED } from '../../text/documents/fold-text.ts';
import { contentWords } from '../../selection/kernel/content-words.ts';
import { wordSet } from '../../selection/kernel/word-overlap.ts';

/**
 * Share of an answer's content words that the document must hold. Answers are asked for in the words of the document, so that most
 * hold all of them; less than all must do for endings and figures that are written otherwise. Of the reference key points of four
 * haystacks (ArgKP), which people worded far more freely than answers are, 75.0% hold this share of words of a document that tells
 * them, and 10.6% of one about other subjects (at a quarter 86.7 and 18.5%, at a half 50.1 and 2.2%). It finds what was made up
 * of other words; whether words that stand there answer the question it cannot tell.
 */
const LEAST = 1 / 3;

/** Tells whether the words of an answer stand in a document: without stop words, case and common endings. */
export function groundedIn(document: string): (answer: string) => boolean {
  const there = wordSet(document);
  const plain = document.normalize('NFKC').toLowerCase();
  return (answer) => {
    const words = [...new Map(contentWords(answer).map(({ text, stem }) => [stem, text.toLowerCase()]))];
    // "Yes", or "no": nothing to look for.
    if (words.length === 0) return true;
    // Where no spaces tell words, the platform may cut an answer otherwise than the document.
    const held = words.filter(([stem, text]) => there.has(stem) || (UNSPACED.test(text) && plain.includes(text)));
    return held.length / words.length >= LEAST;
  };
}
