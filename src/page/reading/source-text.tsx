import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Quote, Span } from '../../client/index.ts';

interface SourceTextProps {
  readonly text: string;
  readonly picked: Quote | null;
  readonly others: readonly Quote[];
  readonly label: string;
}

const NONE: readonly Quote[] = [];

/** A text of any length, scrolled to the picked quote. The DOM holds all of it, for search and copy; only visible blocks are laid out. */
export function SourceText({ text, picked, others, label }: SourceTextProps) {
  const scroller = useRef<HTMLElement>(null);
  const blocks = useMemo(() => blocksOf(text), [text]);
  // Stable elements: picking a quote redraws only its own blocks.
  const plain = useMemo(
    () => blocks.map((block) => <Block key={block.start} text={text} block={block} picked={null} others={NONE} />),
    [blocks, text],
  );
  useScrollToMark(scroller, text, picked);
  const quotes = picked === null ? others : [picked, ...others];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section ref={scroller} class="read-scroller" tabIndex={0} aria-label={label}>
      {blocks.map((block, index) =>
        quotes.some(({ start, end }) => start < block.end && end > block.start) ? (
          <Block key={block.start} text={text} block={block} picked={picked} others={others} />
        ) : (
          plain[index]
        ),
      )}
    </section>
  );
}

/** A block has 2,000 to 6,000 characters and ends after a line break, else a sentence, a word, or a whole character. */
const BLOCK =
  /.{2000,6000}?(?:\r\n|\r|\n)|.{2000,6000}?\. |.{2000,6000} |.{1,6000}(?<!\u200d)(?![\p{M}\u200d])|.{1,6000}/gsu;

/** Cuts a text into blocks that are laid out one by one. Joined, they equal the text. */
export function blocksOf(text: string): Span[] {
  return [...text.matchAll(BLOCK)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

interface Piece extends Span {
  readonly kind: 'picked' | 'other' | 'plain';
}

/** The pieces of a block by their marks, in order. Joined, they equal the block. The picked quote overrides others. */
export function piecesOf(block: Span, picked: Span | null, others: readonly Span[]): Piece[] {
  const spans = picked === null ? others : [picked, ...others];
  const edges = [block, ...spans].flatMap(({ start, end }) => [start, end]);
  const places = [...new Set(edges)].filter((at) => at >= block.start && at <= block.end).sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (const [index, end] of places.slice(1).entries()) {
    const start = places[index];
    const covers = (span: Span) => span.start <= start && span.end >= end;
    const kind = picked !== null && covers(picked) ? 'picked' : others.some(covers) ? 'other' : 'plain';
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces.splice(-1, 1, { ...last, end });
    else pieces.push({ start, end, kind });
  }
  return pieces;
}

/** Characters per line, to estimate the height of a block. */
const LINE = 60;

interface BlockProps extends Omit<SourceTextProps, 'label'> {
  readonly block: Span;
}

function Block({ text, block, picked, others }: BlockProps) {
  const lines = Math.ceil((block.end - block.start) / LINE) + 1;
  return (
    <div class="read-block" dir="auto" style={{ containIntrinsicBlockSize: `auto ${lines * 1.6}em` }}>
      {piecesOf(block, picked, others).map(({ start, end, kind }) => {
        const piece = text.slice(start, end);
        if (kind === 'plain') return piece;
        return (
          <mark key={start} class={`read-mark-${kind}`} aria-current={kind === 'picked' ? 'true' : undefined}>
            {piece}
          </mark>
        );
      })}
    </div>
  );
}

/** Blocks above the mark get their real heights when they become visible and move it: scroll until it stays. */
const MAX_LOOKS = 6;

function useScrollToMark(scroller: RefObject<HTMLElement | null>, text: string, picked: Span | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another quote, or another text, is at another place
  useLayoutEffect(() => {
    let frame = 0;
    const look = (looks: number) => {
      const box = scroller.current;
      const mark = box?.querySelector('mark[aria-current]');
      if (!box || !mark) return;
      const before = box.scrollTop;
      box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4;
      const isThere = Math.abs(box.scrollTop - before) < 2;
      if (looks < MAX_LOOKS && !(isThere && looks > 1)) frame = requestAnimationFrame(() => look(looks + 1));
      // The box may extend below the viewport.
      else mark.scrollIntoView({ block: 'nearest' });
    };
    look(0);
    return () => cancelAnimationFrame(frame);
  }, [scroller, text, picked?.start, picked?.end]);
}
