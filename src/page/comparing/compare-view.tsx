import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type StoredDigest, storedDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { compareDigests, type Mark, type MarkedDigest, type MarkedSentence } from './compare-digests.ts';
import { CompareForm } from './compare-form.tsx';
import type { Side } from './compare-metrics.ts';
import { ComparedFigures } from './compared-figures.tsx';
import { describeShared } from './describe-shared.ts';
import { ExperimentForm } from './experiment-form.tsx';
import { textOf } from './intent-text.ts';
import { sameValue } from './option-leaves.ts';
import './compare.css';

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
  worded: '≈ Similar',
  near: '~ Overlapping',
  partly: '± Partly in both',
  here: '○ Only here',
};

/** One of the digests, every sentence marked. */
function ComparedColumn(props: ColumnProps) {
  const { side, stored, marked, intent } = props;
  const { digest } = stored;
  const { counts } = marked;
  return (
    <section class={`cmp-column cmp-of-${side}`} aria-labelledby={`cmp-${side}`}>
      <h2 id={`cmp-${side}`}>{side === 'left' ? 'Left' : 'Right'}</h2>
      <p class="muted">
        {digest.selection.preset === 'published' && 'As published, '}
        {digest.selection.strategy}, {counts.points} {counts.points === 1 ? 'key point' : 'key points'},{' '}
        {digest.metrics.words} words. <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read</a>{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'map' })}>Map</a>
      </p>
      {intent !== null && <p class="cmp-intent">{intent === '' ? 'No question.' : intent}</p>}
      {digest.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {marked.sentences.length === 0 && <p class="empty">This digest has no key point.</p>}
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

interface PairProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** A sentence that is looked at. */
interface Looked {
  readonly side: Side;
  readonly place: number;
}

const SHOWN = [
  { shown: 'both', name: 'Both' },
  { shown: 'left', name: 'Left only' },
  { shown: 'right', name: 'Right only' },
] as const;

/** Two digests that are there: what they share, what each has alone, and figures. */
function ComparedPair({ left, right }: PairProps) {
  const compared = useMemo(() => compareDigests(left.digest, right.digest), [left, right]);
  const [hovered, hover] = useState<Looked | null>(null);
  const [focused, focus] = useState<Looked | null>(null);
  const [shown, show] = useState<(typeof SHOWN)[number]['shown']>('both');
  const [sought, seek] = useState<Looked | null>(null);
  const columns = useRef<HTMLDivElement>(null);
  const pointer = useRef('');
  /** What scrolls below a mouse that rests is not pointed at. */
  const point = (sentence: Looked, { clientX, clientY }: MouseEvent): void => {
    const at = `${clientX} ${clientY}`;
    if (at === pointer.current) return;
    pointer.current = at;
    hover((before) => (before?.side === sentence.side && before.place === sentence.place ? before : sentence));
  };
  useEffect(() => {
    if (sought === null) return;
    // Ids in the columns are made by this view.
    const found = columns.current?.querySelector<HTMLElement>(`#cmp-${sought.side}-${sought.place}`);
    found?.scrollIntoView({ block: 'center' });
    found?.focus({ preventScroll: true });
  }, [sought]);

  /** Goes to what the other side says of the same. */
  const goTo = (side: Side, place: number): void => {
    show((now) => (now === 'both' ? now : side));
    seek({ side, place });
  };
  const hasOneIntent = sameValue(left.request.intent ?? null, right.request.intent ?? null);
  const intent = textOf(left.request.intent ?? undefined);
  return (
    <>
      <h1>Compare</h1>
      {hasOneIntent && intent !== '' && <p class="cmp-intent">{intent}</p>}
      <p class="cmp-shared">
        <strong>{describeShared(compared.left.counts, compared.right.counts)}</strong>
      </p>
      <Documents left={left} right={right} />
      <ul class="cmp-legend muted" aria-label="What the marks mean">
        <li>
          <span class="cmp-mark both">= In both</span> the same key point of the same document
        </li>
        <li>
          <span class="cmp-mark worded">≈ Similar</span> other words for what may be the same key point
        </li>
        <li>
          <span class="cmp-mark near">~ Overlapping</span> some of the same key points stand behind both
        </li>
        <li>
          <span class="cmp-mark here">○ Only here</span> on one side alone
        </li>
      </ul>
      <fieldset class="cmp-switch">
        <legend class="unseen">Which side is shown</legend>
        {SHOWN.map(({ shown: each, name }) => (
          <label key={each}>
            <input type="radio" name="cmp-shown" checked={shown === each} onChange={() => show(each)} />
            {name}
          </label>
        ))}
      </fieldset>
      <div class={`cmp-columns cmp-shows-${shown}`} ref={columns}>
        {(['left', 'right'] as const).map((side) => (
          <ComparedColumn
            key={side}
            side={side}
            stored={side === 'left' ? left : right}
            marked={compared[side]}
            other={compared[side === 'left' ? 'right' : 'left']}
            intent={hasOneIntent ? null : textOf((side === 'left' ? left : right).request.intent ?? undefined)}
            looked={hovered ?? focused}
            point={point}
            leave={() => hover(null)}
            focus={(sentence) => {
              focus(sentence);
              hover(null);
            }}
            goTo={goTo}
          />
        ))}
      </div>
      <ComparedFigures left={left} right={right} />
      <ExperimentForm left={left} right={right} />
      <p class="actions">
        <a class="button" href={hrefOf({ view: 'compare', left: left.digest.id, right: null })}>
          Replace the right side
        </a>
        <a class="button" href={hrefOf({ view: 'compare', left: right.digest.id, right: null })}>
          Replace the left side
        </a>
        <a class="button" href={hrefOf({ view: 'compare', left: right.digest.id, right: left.digest.id })}>
          Swap the sides
        </a>
      </p>
    </>
  );
}

/** Where both do not read the same documents, what that means. */
function Documents({ left, right }: PairProps) {
  const [ofLeft, ofRight] = [left, right].map(({ digest }) => new Set(digest.documents.map(({ id }) => id)));
  const shared = [...ofLeft].filter((id) => ofRight.has(id)).length;
  if (shared === ofLeft.size && shared === ofRight.size) return null;
  return (
    <p class="notice">
      These digests have different documents: {ofLeft.size} on the left, {ofRight.size} on the right, {shared} in
      common.
    </p>
  );
}

interface CompareProps {
  readonly left: string | null;
  readonly right: string | null;
}

/** Two digests side by side: both there already, or one or both still to be made. */
export function CompareView({ left, right }: CompareProps) {
  const { client, session } = useService();
  const [loaded, again] = useLoaded(`${left} ${right} ${session}`, (signal) =>
    Promise.all([left, right].map(async (id) => (id === null ? null : storedDigest(client, id, signal)))),
  );
  if (loaded.state !== 'there') {
    return (
      <>
        <h1>Compare</h1>
        {loaded.state === 'loading' ? (
          <Loading what={left !== null && right !== null ? 'both digests' : 'the digest'} />
        ) : (
          <>
            <Problem failure={loaded.failure} again={again} />
            <p>
              <a href="#/compare">Make two new digests</a>
            </p>
          </>
        )}
      </>
    );
  }
  const [first, second] = loaded.value;
  if (first !== null && second !== null) return <ComparedPair left={first} right={second} />;
  // One alone is the left one, whichever side the address has it on.
  return <CompareForm given={first ?? second} />;
}
