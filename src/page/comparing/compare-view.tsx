import { useMemo } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
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

/** Waits for digests that are under way. */
export function CompareView({ left, right }: CompareProps) {
  const { client, session } = useService();
  const loading = useLoaded(`${left} ${right} ${session}`, (signal) =>
    Promise.all([left, right].map(async (id) => (id === null ? null : storedDigest(client, id, signal)))),
  );
  const [{ state }] = loading;
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
      {state !== 'there' && (
        <p class="actions">
          {left !== null && <a href={hrefOf({ view: 'digest', id: left, face: 'read' })}>Left digest</a>}
          {right !== null && <a href={hrefOf({ view: 'digest', id: right, face: 'read' })}>Right digest</a>}
          {state === 'failed' && <a href="#/compare">Make two new digests</a>}
        </p>
      )}
    </>
  );
}

const SIDES = ['left', 'right'] as const;
type Side = (typeof SIDES)[number];

const MARKS: Readonly<Record<Mark, { readonly name: string; readonly meaning: string }>> = {
  both: { name: '= In both', meaning: 'the same key point of the same document' },
  similar: { name: '≈ Similar', meaning: 'related key points, or some of several in both' },
  here: { name: '○ Only here', meaning: 'on one side alone' },
};

interface PairProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

function Pair(pair: PairProps) {
  const { left, right } = pair;
  const compared = useMemo(() => compareDigests(left.digest, right.digest), [left, right]);
  const other = { left: right.digest.id, right: left.digest.id };
  return (
    <>
      <p>
        <strong>
          {describeSide('left', 'right', compared.left.counts)} {describeSide('right', 'left', compared.right.counts)}
        </strong>
      </p>
      <ul class="cmp-legend muted" aria-label="What the marks mean">
        {Object.entries(MARKS).map(([mark, { name, meaning }]) => (
          <li key={mark}>
            <span class={`cmp-mark ${mark}`}>{name}</span> {meaning}
          </li>
        ))}
      </ul>
      <div class="cmp-columns">
        {SIDES.map((side) => (
          <Column key={side} side={side} stored={pair[side]} marked={compared[side]} />
        ))}
      </div>
      <Figures {...pair} />
      <ExperimentForm {...pair} />
      <p class="actions">
        {SIDES.map((side) => (
          <a key={side} class="button" href={hrefOf({ view: 'compare', left: other[side], right: null })}>
            Replace the {side} side
          </a>
        ))}
      </p>
    </>
  );
}

type Counts = MarkedDigest['counts'];

function describeSide(side: Side, other: Side, { points, both, similar, here }: Counts): string {
  const parts = [
    `${both} of ${count(points, 'key point')} on the ${side} ${both === 1 ? 'is' : 'are'} also on the ${other}`,
    similar > 0 ? `${similar} similar` : '',
    here > 0 ? `${here} only here` : '',
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

interface ColumnProps {
  readonly side: Side;
  readonly stored: StoredDigest;
  readonly marked: MarkedDigest;
}

function Column({ side, stored: { digest, request }, marked }: ColumnProps) {
  const { strategy, preset } = digest.selection;
  return (
    <section aria-labelledby={`cmp-${side}`}>
      <h2 id={`cmp-${side}`}>{side === 'left' ? 'Left' : 'Right'}</h2>
      <p class="muted">
        {preset === 'published' && 'As published, '}
        {strategy}, {count(marked.counts.points, 'key point')}, {digest.metrics.words} words.{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read</a>{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'map' })}>Map</a>
      </p>
      <p>{problemOf(request.intent) || 'No question.'}</p>
      {digest.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {marked.sentences.length === 0 && <p class="empty">This digest has no key point.</p>}
      <ol class="cmp-sentences">
        {marked.sentences.map((sentence, index) => (
          <Sentence key={index} id={`cmp-${side}-${index}`} side={side} sources={digest.sources} marked={sentence} />
        ))}
      </ol>
    </section>
  );
}

interface SentenceProps {
  readonly id: string;
  readonly side: Side;
  readonly sources: StoredDigest['digest']['sources'];
  readonly marked: MarkedSentence;
}

function Sentence({ id, side, sources, marked: { mark, partners, sentence } }: SentenceProps) {
  const opposite = side === 'left' ? 'right' : 'left';
  const cited = new Set(sentence.citations.map(({ document }) => document));
  const show = (): void => {
    const partner = document.getElementById(`cmp-${opposite}-${partners[0]}`);
    partner?.scrollIntoView({ block: 'center' });
    partner?.focus({ preventScroll: true });
  };
  return (
    <li id={id} class={`cmp-sentence ${mark ?? 'framing'}`} tabIndex={-1}>
      <p>{sentence.text}</p>
      {mark !== null && (
        <p class="cmp-about">
          <span class={`cmp-mark ${mark}`}>{MARKS[mark].name}</span>{' '}
          <span class="muted">
            {sources
              .filter(({ document }) => cited.has(document))
              .map(({ document, title }) => title ?? document)
              .join(', ')}
          </span>
          {partners.length > 0 && (
            <button type="button" class="plain" onClick={show}>
              Show it on the {opposite}
            </button>
          )}
        </p>
      )}
    </li>
  );
}
