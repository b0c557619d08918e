import type { ComponentChild, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Quote, Span } from '../../client/index.ts';
import { blocksOf } from './blocks.ts';
import { piecesOf, touches } from './marks.ts';

interface SourceTextProps {
  readonly text: string;
  readonly picked: Quote | null;
  /** Further quotes of the same text. */
  readonly others: readonly Quote[];
  readonly label: string;
}

/**
 * A text of any length that is scrolled to the picked quote. All of it is in the document, so that it can be searched and copied;
 * the browser lays out what is seen.
 */
export function SourceText({ text, picked, others, label }: SourceTextProps) {
  const scroller = useRef<HTMLElement>(null);
  const blocks = useMemo(() => blocksOf(text), [text]);
  // The same elements every time, so that a quote that is picked costs what its own blocks cost.
  const plain = useMemo(
    () => blocks.map((block) => <Block key={block.start} text={text} block={block} picked={null} others={NONE} />),
    [blocks, text],
  );
  useScrollToMark(scroller, text, picked);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section ref={scroller} class="read-scroller" tabIndex={0} aria-label={label}>
      {blocks.map((block, index) =>
        [...others, ...(picked === null ? [] : [picked])].some((quote) => touches(block, quote)) ? (
          <Block key={block.start} text={text} block={block} picked={picked} others={others} />
        ) : (
          plain[index]
        ),
      )}
    </section>
  );
}

const NONE: readonly Quote[] = [];
/** Characters of a line, about, which tell how high a block is before it is laid out. */
const LINE = 60;

interface BlockProps {
  readonly text: string;
  readonly block: Span;
  readonly picked: Quote | null;
  readonly others: readonly Quote[];
}

function Block({ text, block, picked, others }: BlockProps) {
  const lines = Math.ceil((block.end - block.start) / LINE) + 1;
  return (
    <div class="read-block" dir="auto" style={{ containIntrinsicBlockSize: `auto ${lines * 1.6}em` }}>
      {piecesOf(block, picked, others).map(({ start, end, kind }) => {
        const piece = text.slice(start, end);
        if (kind === 'plain') return withHeadings(piece, start === 0 || /[\r\n]/.test(text[start - 1]));
        return (
          <mark key={start} class={`read-mark-${kind}`} aria-current={kind === 'picked' ? 'true' : undefined}>
            {piece}
          </mark>
        );
      })}
    </div>
  );
}

/** A piece with the headings of its Markdown set apart; its text stays as it is. */
function withHeadings(piece: string, isAtLineStart: boolean): ComponentChild[] {
  return piece.split(/^(#{1,6} .*)$/m).map((part, index, parts) => {
    // Every second part is a heading, but for what begins within a line.
    const isHeading = index % 2 === 1 && (isAtLineStart || index > 1 || parts[0] !== '');
    return isHeading ? <strong key={`${index} ${part}`}>{part}</strong> : part;
  });
}

/** Blocks above get their true heights when they are seen, which moves the mark: it is looked for until it stays. */
const MAX_LOOKS = 6;

function useScrollToMark(scroller: RefObject<HTMLElement | null>, text: string, picked: Span | null): void {
  const { start, end } = picked ?? { start: -1, end: -1 };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another quote, or another text, is another place
  useLayoutEffect(() => {
    let frame = 0;
    const look = (looks: number) => {
      const box = scroller.current;
      const mark = box?.querySelector('mark[aria-current]');
      if (!box || !mark) return;
      const wanted = mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4;
      const before = box.scrollTop;
      box.scrollTop += wanted;
      const isThere = Math.abs(box.scrollTop - before) < 2;
      if (looks < MAX_LOOKS && !(isThere && looks > 1)) frame = requestAnimationFrame(() => look(looks + 1));
      // The box may reach below what is seen of the page.
      else mark.scrollIntoView({ block: 'nearest' });
    };
    look(0);
    return () => cancelAnimationFrame(frame);
  }, [scroller, text, start, end]);
}
