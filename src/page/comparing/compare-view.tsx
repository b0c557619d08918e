import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { sameValue } from '../parts/options.ts';
import { count } from '../parts/words.ts';
import { problemOf } from '../reading/intent.tsx';
import { type StoredDigest, storedDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { CompareForm } from './compare-form.tsx';
import { ExperimentForm } from './experiment-form.tsx';
import { Figures } from './figures.tsx';
import { compareDigests, type Mark, type MarkedDigest, type MarkedSentence } from './marks.ts';
import './compare.css';

interface CompareProps {
  readonly left: string | null;
  readonly right: string | null;
}

export function CompareView({ left, right }: CompareProps) {
  const { client, session } = useService();
  const loading = useLoaded(`${left} ${right} ${session}`, (signal) =>
    Promise.all([left, right].map(async (id) => (id === null ? null : storedDigest(client, id, signal)))),
  );
  return (
    <>
      <h1>Compare</h1>
      <Await of={loading} what={left !== null && right !== null ? 'both digests' : 'the digest'}>
        {([first, second]) =>
          first !== null && second !== null ? (
            <Pair left={first} right={second} />
          ) : (
            // A single one is the left one, wherever the address has it.
            <CompareForm given={first ?? second} />
          )
        }
      </Await>
      {loading[0].state === 'failed' && (
        <p>
          <a href="#/compare">Make two new digests</a>
        </p>
      )}
    </>
  );
}

type Side = 'left' | 'right';

interface Place {
  readonly side: Side;
  readonly index: number;
}

const MARKS: readonly { readonly mark: Mark; readonly name: string; readonly meaning: string | null }[] = [
  { mark: 'both', name: '= In both', meaning: 'the same key point of the same document' },
  { mark: 'worded', name: '≈ Similar', meaning: 'other words for what may be the same key point' },
  { mark: 'near', name: '~ Overlapping', meaning: 'some of the same key points stand behind both' },
  { mark: 'partly', name: '± Partly in both', meaning: null },
  { mark: 'here', name: '○ Only here', meaning: 'on one side alone' },
];

const SHOWN = [
  { shown: 'both', name: 'Both' },
  { shown: 'left', name: 'Left only' },
  { shown: 'right', name: 'Right only' },
] as const;

interface PairProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

function Pair(pair: PairProps) {
  const { left, right } = pair;
  const compared = useMemo(() => compareDigests(left.digest, right.digest), [left, right]);
  const [looked, look] = useState<Place | null>(null);
  const [shown, show] = useState<(typeof SHOWN)[number]['shown']>('both');
  const [sought, seek] = useState<Place | null>(null);
  useEffect(() => {
    const found = sought && document.getElementById(`cmp-${sought.side}-${sought.index}`);
    found?.scrollIntoView({ block: 'center' });
    found?.focus({ preventScroll: true });
  }, [sought]);
  const hasOneIntent = sameValue(left.request.intent ?? null, right.request.intent ?? null);
  return (
    <>
      {hasOneIntent && problemOf(left.request.intent) !== '' && (
        <p class="cmp-intent">{problemOf(left.request.intent)}</p>
      )}
      <p class="cmp-shared">
        <strong>{describeShared(compared.left.counts, compared.right.counts)}</strong>
      </p>
      <OtherDocuments {...pair} />
      <ul class="cmp-legend muted" aria-label="What the marks mean">
        {MARKS.map(
          ({ mark, name, meaning }) =>
            meaning !== null && (
              <li key={mark}>
                <span class={`cmp-mark ${mark}`}>{name}</span> {meaning}
              </li>
            ),
        )}
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
      <div class={`cmp-columns cmp-shows-${shown}`}>
        {(['left', 'right'] as const).map((side) => (
          <Column
            key={side}
            side={side}
            stored={pair[side]}
            marked={compared[side]}
            other={compared[side === 'left' ? 'right' : 'left']}
            hasIntent={!hasOneIntent}
            looked={looked}
            look={look}
            goTo={(place) => {
              show((now) => (now === 'both' ? now : place.side));
              seek(place);
            }}
          />
        ))}
      </div>
      <Figures {...pair} />
      <ExperimentForm {...pair} />
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

type Counts = MarkedDigest['counts'];

function describeShared(left: Counts, right: Counts): string {
  if (left.points + right.points === 0) return 'Neither digest states a key point.';
  if (left.points === 0) return 'The left digest states no key point.';
  if (right.points === 0) return 'The right digest states no key point.';
  const isAll = left.both === left.points && right.both === right.points;
  if (isAll) return `The key points of both are the same: ${left.points}.`;
  return `${describeSide('left', 'right', left)} ${describeSide('right', 'left', right)}`;
}

function describeSide(side: Side, other: Side, { points, both, worded, near, here }: Counts): string {
  const parts = [
    `${both} of ${count(points, 'key point')} on the ${side} ${both === 1 ? 'is' : 'are'} also on the ${other}`,
    worded > 0 ? `${worded} similar` : '',
    near > 0 ? `${near} overlapping` : '',
    here > 0 ? `${here} only here` : '',
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

function OtherDocuments({ left, right }: PairProps) {
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

interface ColumnProps {
  readonly side: Side;
  readonly stored: StoredDigest;
  readonly marked: MarkedDigest;
  readonly other: MarkedDigest;
  readonly hasIntent: boolean;
  /** The sentence under the pointer or with the focus. */
  readonly looked: Place | null;
  readonly look: (place: Place | null) => void;
  readonly goTo: (place: Place) => void;
}

function Column(props: ColumnProps) {
  const { side, stored, marked, hasIntent } = props;
  const { digest, request } = stored;
  return (
    <section class={`cmp-column cmp-of-${side}`} aria-labelledby={`cmp-${side}`}>
      <h2 id={`cmp-${side}`}>{side === 'left' ? 'Left' : 'Right'}</h2>
      <p class="muted">
        {digest.selection.preset === 'published' && 'As published, '}
        {digest.selection.strategy}, {count(marked.counts.points, 'key point')}, {digest.metrics.words} words.{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read</a>{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'map' })}>Map</a>
      </p>
      {hasIntent && <p class="cmp-intent">{problemOf(request.intent) || 'No question.'}</p>}
      {digest.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {marked.sentences.length === 0 && <p class="empty">This digest has no key point.</p>}
      <ol class="cmp-sentences">
        {marked.sentences.map((sentence, index) => (
          <Sentence key={index} {...props} marked={sentence} index={index} />
        ))}
      </ol>
    </section>
  );
}

interface SentenceProps extends Omit<ColumnProps, 'marked'> {
  readonly marked: MarkedSentence;
  readonly index: number;
}

function Sentence({ side, stored, marked, index, other, looked, look, goTo }: SentenceProps) {
  const { mark, partners, sentence } = marked;
  const isPartner = looked !== null && looked.side !== side && other.sentences[looked.index]?.partners.includes(index);
  const isLooked = looked !== null && looked.side === side && looked.index === index && partners.length > 0;
  const opposite = side === 'left' ? 'right' : 'left';
  const pointer = useRef('');
  return (
    <li
      id={`cmp-${side}-${index}`}
      class={`cmp-sentence ${mark ?? 'framing'} ${isPartner ? 'is-partner' : ''} ${isLooked ? 'is-looked' : ''}`}
      tabIndex={-1}
      onMouseMove={({ clientX, clientY }) => {
        // Ignore hover while the page scrolls under a resting mouse.
        const hasMoved = pointer.current !== `${clientX} ${clientY}`;
        pointer.current = `${clientX} ${clientY}`;
        if (hasMoved && !(looked?.side === side && looked.index === index)) look({ side, index });
      }}
      onMouseLeave={() => look(null)}
      onFocusCapture={() => look({ side, index })}
      onBlurCapture={() => look(null)}
    >
      <p>{sentence.text}</p>
      {mark !== null && (
        <p class="cmp-about">
          <span class={`cmp-mark ${mark}`}>{MARKS.find((each) => each.mark === mark)?.name}</span>{' '}
          <span class="muted">{sourcesOf(stored, sentence.citations)}</span>
          {partners.length > 0 && (
            <button type="button" class="plain" onClick={() => goTo({ side: opposite, index: partners[0] })}>
              Show it on the {opposite}
              <span class="unseen">: {other.sentences[partners[0]].sentence.text}</span>
            </button>
          )}
        </p>
      )}
    </li>
  );
}

function sourcesOf({ digest }: StoredDigest, citations: readonly { readonly document: string }[]): string {
  const cited = [...new Set(citations.map(({ document }) => document))];
  const titles = cited.map((id) => digest.sources.find(({ document }) => document === id)?.title ?? id);
  return titles.slice(0, 2).join(', ') + (titles.length > 2 ? ` and ${titles.length - 2} more` : '');
}
