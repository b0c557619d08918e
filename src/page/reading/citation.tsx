import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Citation, keyOfCitation, type Marker } from '../../client/index.ts';
import { day } from '../parts/dates.ts';
import { useReading } from './reading.ts';
import { shortened } from './words.ts';

/** Characters of a quote that stand in for it in a label, and on a card. */
const MAX = { label: 120, card: 320 };
/** Milliseconds that a pointer rests before a card comes, and after which it goes: enough to reach the card. */
const DELAY = { show: 120, hide: 200 };

/** The number of a source after its sentence: the quote comes up where one points at it, and the source opens by a press. */
export function CitationButton({ marker: { citation, name } }: { readonly marker: Marker }) {
  const { documentOf, opened, open } = useReading();
  const isOpen = opened !== null && keyOfCitation(opened.citation) === keyOfCitation(citation);
  const { anchor, show, hide, hover } = useCard();
  return (
    <span onPointerLeave={hover(false)}>
      <button
        type="button"
        class="read-citation"
        aria-label={`Source ${name}: ${documentOf(citation.document).name}, quote “${shortened(citation.quote.text, MAX.label)}”`}
        aria-pressed={isOpen}
        data-document={citation.document}
        data-start={citation.quote.start}
        onPointerEnter={hover(true)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && show(currentTarget)}
        onBlur={hide}
        onClick={({ currentTarget }) => {
          hide();
          open(citation, currentTarget);
        }}
      >
        {name}
      </button>
      {anchor !== null && <QuoteCard citation={citation} anchor={anchor} />}
    </span>
  );
}

/** Where a card stands, beside what is pointed at or has the focus; null while there is none. */
function useCard() {
  const [anchor, setAnchor] = useState<DOMRect | null>(null);
  const timer = useRef(0);
  const hide = (): void => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  const isShown = anchor !== null;
  // As soon as it is seen: a key may come before what runs after the paint.
  useLayoutEffect(() => {
    if (!isShown) return;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setAnchor(null);
    };
    const leave = (): void => setAnchor(null);
    addEventListener('keydown', onKey);
    addEventListener('scroll', leave, { passive: true });
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('scroll', leave);
    };
  }, [isShown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    anchor,
    hide,
    show: (element: HTMLElement): void => setAnchor(element.getBoundingClientRect()),
    /** Comes and goes with a mouse; a finger opens the source at once. */
    hover:
      (isOver: boolean) =>
      ({ currentTarget, pointerType }: { readonly currentTarget: HTMLElement; readonly pointerType: string }): void => {
        if (pointerType !== 'mouse') return;
        clearTimeout(timer.current);
        const rect = currentTarget.getBoundingClientRect();
        timer.current = window.setTimeout(() => setAnchor(isOver ? rect : null), isOver ? DELAY.show : DELAY.hide);
      },
  };
}

/** Pixels: of the card, and between it and its number and the edges of the window. */
const CARD = { width: 336, gap: 6, edge: 12, height: 180 };

/** A quote with its document. Screen readers have both in the name of the number. */
function QuoteCard({
  citation: { document, quote },
  anchor,
}: {
  readonly citation: Citation;
  readonly anchor: DOMRect;
}) {
  const { documentOf } = useReading();
  const { name, number, publishedAt } = documentOf(document);
  const width = Math.min(CARD.width, innerWidth - 2 * CARD.edge);
  const left = Math.max(CARD.edge, Math.min(anchor.left - 24, innerWidth - width - CARD.edge));
  const isBelow = anchor.bottom + CARD.height < innerHeight || anchor.top < CARD.height;
  const side = isBelow
    ? { top: `${anchor.bottom + CARD.gap}px` }
    : { bottom: `${innerHeight - anchor.top + CARD.gap}px` };
  return (
    <span class="read-card-quote" aria-hidden="true" style={{ left: `${left}px`, width: `${width}px`, ...side }}>
      <span class="read-card-source">
        {number !== null && `${number}. `}
        <bdi>{name}</bdi>
        {publishedAt !== null && ` · ${day(publishedAt)}`}
      </span>
      <span class="read-card-text" dir="auto">
        “{shortened(quote.text, MAX.card)}”
      </span>
    </span>
  );
}
