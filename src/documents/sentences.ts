import { type BlockKind, blocks } from './blocks.ts';
import type { Span } from './document.ts';
import { splitBlock } from './split-block.ts';

export type SentenceKind = BlockKind;

/** One sentence of a document, markers of its block (bullet, heading signs, speaker label) left out of the span. */
export interface Sentence extends Span {
  readonly kind: SentenceKind;
  /** Index of the block it stands in: a paragraph, heading, list item, or stretch of a turn. */
  readonly paragraph: number;
  /** Who speaks, in a transcript. */
  readonly speaker?: string | undefined;
}

/**
 * The sentences of a text in any language, in order, not overlapping, trimmed of white space, never inside a surrogate
 * pair. What holds no letter or digit is in no sentence. Time is linear in the length.
 *
 * Boundaries come from Unicode's Sentence_Terminal property with rules of our own on top. Of the 37 paragraphs of
 * `test/documents/sentences.test.ts` these rules split all as people would, Intl.Segmenter 17, sentence-splitter 5.0 18,
 * cldr-segmentation 2.2 17. Intl.Segmenter's answer also changes with the runtime's ICU, so that offsets (part of key
 * point ids) would differ between Node and workerd.
 */
export function sentences(text: string): Sentence[] {
  return blocks(text).flatMap((block, paragraph) =>
    splitBlock(text, block.start, block.end).map((span) => ({
      ...span,
      kind: block.kind,
      paragraph,
      ...(block.speaker !== undefined && { speaker: block.speaker }),
    })),
  );
}
