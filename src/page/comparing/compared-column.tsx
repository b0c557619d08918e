import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import type { Mark, MarkedDigest, MarkedSentence } from './compare-digests.ts';
import type { Side } from './compare-metrics.ts';
import type { Looked } from './compared-pair.tsx';

interface ColumnProps {
  readonly side: Side;
  readonly stored: StoredDigest;
  readonly marked: MarkedDigest;
  readonly other: MarkedDigest;
  /** Null where it is that of both. */
  readonly intent: string | null;
  readonly looked: Looked | null;
  readonly point: (sentence: Looked, event: MouseEvent) => void;
  readonly leave: () => void;
  readonly focus: (focused: Looked | null) => void;
  readonly goTo: (side: Side, place: number) => void;
}

const WORDS: Readonly<Record<Mark, string>> = {
  both: '= In both',
  worded: '≈ Related: joined by the service',
  near: '~ Near: shares sources',
  partly: '± Partly in both',
  here: '! Only here',
};

/** One of the digests, every sentence marked. */
export function ComparedColumn(props: ColumnProps) {
  const { side, stored, marked, intent } = props;
  const { digest } = stored;
  const { counts } = marked;
  return (
    <section class={`cmp-column cmp-of-${side}`} aria-labelledby={`cmp-${side}`}>
      <h2 id={`cmp-${side}`}>{side === 'left' ? 'Left' : 'Right'}</h2>
      <p class="muted">
        {digest.selection.preset === 'published' && 'As published, '}
        {digest.selection.strategy}, {counts.points} {counts.points === 1 ? 'point' : 'points'}, {digest.metrics.words}{' '}
        words. <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read</a>{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'map' })}>Map</a>
      </p>
      {intent !== null && <p class="cmp-intent">{intent === '' ? 'No intent.' : intent}</p>}
      {digest.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {marked.sentences.length === 0 && <p class="empty">This digest says nothing.</p>}
      <ol class="cmp-sentences">
        {marked.sentences.map((sentence, place) => (
          <Sentence key={place} {...props} sentence={sentence} place={place} />
        ))}
      </ol>
    </section>
  );
}

interface SentenceProps extends ColumnProps {
  readonly sentence: MarkedSentence;
  readonly place: number;
}

function Sentence({ side, stored, sentence, place, other, looked, point, leave, focus, goTo }: SentenceProps) {
  const { mark, partners, sentence: said } = sentence;
  const isPartner = looked !== null && looked.side !== side && other.sentences[looked.place]?.partners.includes(place);
  const isLooked = looked !== null && looked.side === side && looked.place === place;
  const opposite = side === 'left' ? 'right' : 'left';
  const states = [mark ?? 'framing', isPartner && 'is-partner', isLooked && partners.length > 0 && 'is-looked'];
  const here = { side, place };
  return (
    <li
      id={`cmp-${side}-${place}`}
      class={`cmp-sentence ${states.filter(Boolean).join(' ')}`}
      tabIndex={-1}
      onMouseMove={(event) => point(here, event)}
      onMouseLeave={leave}
      onFocusCapture={() => focus(here)}
      onBlurCapture={() => focus(null)}
    >
      <p>{said.text}</p>
      {mark !== null && (
        <p class="cmp-about">
          <span class={`cmp-mark ${mark}`}>{WORDS[mark]}</span>{' '}
          <span class="muted">
            {sourcesOf(
              stored,
              said.citations.map(({ document }) => document),
            )}
          </span>
          {partners.length > 0 && (
            <button type="button" class="plain cmp-go-to" onClick={() => goTo(opposite, partners[0])}>
              Show it on the {opposite}
              <span class="unseen">: {other.sentences[partners[0]].sentence.text}</span>
            </button>
          )}
        </p>
      )}
    </li>
  );
}

/** Titles of the documents that a sentence cites, the first ones in full. */
function sourcesOf({ digest }: StoredDigest, documents: readonly string[]): string {
  const titles = [...new Set(documents)].map(
    (id) => digest.sources.find(({ document }) => document === id)?.title ?? id,
  );
  const more = titles.length - 2;
  return titles.slice(0, 2).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
