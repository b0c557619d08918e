import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keyOfCitation, type Marker } from '../../client/index.ts';
import { day, shortened } from '../parts/words.ts';
import { useReading } from './reading.ts';

/** Characters of a quote in the name of the button, and on the card. */
const MAX = { label: 120, card: 320 };
/** Milliseconds before the card appears and disappears, enough for the pointer to reach it. */
const DELAY = { show: 120, hide: 200 };

/** A citation marker. Hover shows the quote, a press opens the source. */
export function CitationButton({ marker: { citation, name } }: { readonly marker: Marker }) {
  const { documentOf, opened, open } = useReading();
  const [isShown, show] = useState(false);
  const timer = useRef(0);
  const hide = (): void => {
    clearTimeout(timer.current);
    show(false);
  };
  const hover = (isOver: boolean, pointerType: string): void => {
    if (pointerType !== 'mouse') return;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => show(isOver), isOver ? DELAY.show : DELAY.hide);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const button = useRef<HTMLButtonElement>(null);
  const card = useRef<HTMLSpanElement>(null);
  // CSS places the popover at the button, and Escape closes it.
  useLayoutEffect(() => {
    if (isShown && button.current !== null) card.current?.showPopover({ source: button.current });
  }, [isShown]);
  const { document, quote } = citation;
  const source = documentOf(document);
  const isOpen = opened !== null && keyOfCitation(opened.citation) === keyOfCitation(citation);
  return (
    <span
      class="read-cited"
      onPointerEnter={({ pointerType }) => hover(true, pointerType)}
      onPointerLeave={({ pointerType }) => hover(false, pointerType)}
    >
      <button
        ref={button}
        type="button"
        class="read-citation"
        aria-label={`Source ${name}: ${source.name}, quote “${shortened(quote.text, MAX.label)}”`}
        aria-pressed={isOpen}
        data-document={document}
        data-start={quote.start}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && show(true)}
        onBlur={hide}
        onClick={({ currentTarget }) => {
          hide();
          open(citation, currentTarget);
        }}
      >
        {name}
      </button>
      {isShown && (
        // Screen readers have the quote in the name of the button.
        <span
          ref={card}
          class="read-card-quote"
          popover="auto"
          aria-hidden="true"
          onToggle={({ newState }) => newState === 'closed' && show(false)}
        >
          <span class="read-card-source">
            {source.number !== null && `${source.number}. `}
            <bdi>{source.name}</bdi>
            {source.publishedAt !== null && ` · ${day(source.publishedAt)}`}
          </span>
          <span dir="auto">“{shortened(quote.text, MAX.card)}”</span>
        </span>
      )}
    </span>
  );
}
