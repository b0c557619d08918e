import { blocks } from './blocks.ts';
import type { Span } from './document.ts';
import { isHtml, readHtml } from './html.ts';
import { markLines } from './marked-lines.ts';
import { outline, type Sentence } from './outline.ts';
import { splitBlock } from './split-block.ts';

export type { Sentence, SentenceKind } from './outline.ts';

/** A text taken apart. */
export interface Reading {
  /** The text as it reads: HTML without its tags, at the same offsets; any other text as it is. */
  readonly view: string;
  readonly sentences: readonly Sentence[];
}

/**
 * Takes a text in any language apart, plain, Markdown or HTML: its sentences in order, not overlapping, trimmed of white
 * space, never inside a surrogate pair, each with what it stands under. What holds no letter or digit is in no sentence.
 * Time is linear in the length.
 *
 * Boundaries come from Unicode's Sentence_Terminal property with rules of our own on top. Of the 37 paragraphs of
 * `test/text/documents/sentences.test.ts` these rules split all as people would, Intl.Segmenter 17, sentence-splitter 5.0 18,
 * cldr-segmentation 2.2 17. Intl.Segmenter's answer also changes with the runtime's ICU, so that offsets (part of key
 * point ids) would differ between Node and workerd.
 */
export function read(text: string): Reading {
  const html = isHtml(text) ? readHtml(text) : undefined;
  const view = html?.view ?? text;
  const found = blocks(view, html?.lines ?? markLines(view));
  const split = found.map((block): readonly Span[] => {
    if (block.row) return [{ start: block.start, end: block.end }];
    return splitBlock(view, block.start, block.end);
  });
  return { view, sentences: outline(view, found, split) };
}

/** The sentences of a text; see `read`. */
export function sentences(text: string): readonly Sentence[] {
  return read(text).sentences;
}
