import { useMemo } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { strategyOf } from '../parts/options.ts';
import { Notices } from '../parts/problem.tsx';
import { count } from '../parts/words.ts';
import { problemOf } from '../reading/intent.tsx';
import { type StoredDigest, storedDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { CompareForm } from './compare-form.tsx';
import { Figures, type Pair } from './figures.tsx';
import { compareDigests, type Mark, type MarkedDigest } from './marks.ts';
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
        {([first, second]) => {
          if (first !== null && second !== null) return <PairView left={first} right={second} />;
          // A single one is the left one, wherever the address has it.
          const given = first ?? second;
          return given === null ? <NoDigest /> : <CompareForm {...given} />;
        }}
      </Await>
      {state !== 'there' && (
        <p class="actions">
          {left !== null && <a href={hrefOf({ view: 'digest', id: left, face: 'read' })}>Left digest</a>}
          {right !== null && <a href={hrefOf({ view: 'digest', id: right, face: 'read' })}>Right digest</a>}
        </p>
      )}
    </>
  );
}

function NoDigest() {
  return (
    <div class="empty">
      <p>
        See what other settings change: open a digest and choose “Compare with other options”, which makes a second one
        of the same documents.
      </p>
      <a class="button" href={hrefOf({ view: 'digests' })}>
        Choose a digest
      </a>
    </div>
  );
}

const SIDES = ['left', 'right'] as const;
type Side = (typeof SIDES)[number];

const MARKS: Readonly<Record<Mark, { readonly name: string; readonly meaning: string }>> = {
  both: { name: '= In both', meaning: 'the same key point of the same document' },
  similar: { name: '≈ Similar', meaning: 'related key points, or some of several in both' },
  here: { name: '○ Only here', meaning: 'on one side alone' },
};

function PairView(pair: Pair) {
  const { left, right } = pair;
  const compared = useMemo(() => compareDigests(left.digest, right.digest), [left, right]);
  return (
    <>
      <p>
        <strong>
          {describeSide('left', 'right', compared.left)} {describeSide('right', 'left', compared.right)}
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
    </>
  );
}

function describeSide(side: Side, other: Side, { points, shared }: MarkedDigest): string {
  return `${shared} of ${count(points, 'key point')} on the ${side} ${shared === 1 || points === 1 ? 'is' : 'are'} also on the ${other}.`;
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
        {strategyOf(strategy).title}, {count(marked.points, 'key point')}, {count(digest.metrics.words, 'word')}.{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read</a>{' '}
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'points' })}>Key points</a>
      </p>
      <p>{problemOf(request.intent) || 'No question.'}</p>
      <Notices of={digest.warnings} />
      {digest.summary.sentences.length === 0 && <p class="empty">This digest has no key point.</p>}
      <ol class="cmp-sentences">
        {digest.summary.sentences.map((sentence, index) => (
          <Sentence key={index} sources={digest.sources} sentence={sentence} mark={marked.marks[index]} />
        ))}
      </ol>
    </section>
  );
}

interface SentenceProps {
  readonly sources: StoredDigest['digest']['sources'];
  readonly sentence: StoredDigest['digest']['summary']['sentences'][number];
  readonly mark: Mark | null;
}

function Sentence({ sources, sentence, mark }: SentenceProps) {
  const cited = new Set(sentence.citations.map(({ document }) => document));
  const titles = sources.filter(({ document }) => cited.has(document)).map(({ document, title }) => title ?? document);
  return (
    <li class={`cmp-sentence ${mark ?? 'framing'}`}>
      <p>{sentence.text}</p>
      {mark !== null && (
        <p class="cmp-about">
          <span class={`cmp-mark ${mark}`}>{MARKS[mark].name}</span> <span class="muted">{titles.join(', ')}</span>
        </p>
      )}
    </li>
  );
}
