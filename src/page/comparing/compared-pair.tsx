import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { compareDigests } from './compare-digests.ts';
import type { Side } from './compare-metrics.ts';
import { ComparedColumn } from './compared-column.tsx';
import { ComparedFigures } from './compared-figures.tsx';
import { ExperimentForm } from './experiment-form.tsx';
import { textOf } from './intent-text.ts';
import { sameValue } from './option-leaves.ts';
import { tellShared } from './tell-shared.ts';

interface PairProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** A sentence that is looked at. */
export interface Looked {
  readonly side: Side;
  readonly place: number;
}

const SHOWN = [
  { shown: 'both', name: 'Both' },
  { shown: 'left', name: 'Left only' },
  { shown: 'right', name: 'Right only' },
] as const;

/** Two digests that are there: what they share, what each has alone, and figures. */
export function ComparedPair({ left, right }: PairProps) {
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
      <h1>Side by side</h1>
      {hasOneIntent && intent !== '' && <p class="cmp-intent">{intent}</p>}
      <p class="cmp-shared">
        <strong>{tellShared(compared.left.counts, compared.right.counts)}</strong>
      </p>
      <Documents left={left} right={right} />
      <ul class="cmp-legend muted" aria-label="What the marks mean">
        <li>
          <span class="cmp-mark both">= In both</span> the same words of the same document
        </li>
        <li>
          <span class="cmp-mark worded">≈ Related: joined by the service</span> other words, which the service took to
          say the same: that can be looser than it sounds
        </li>
        <li>
          <span class="cmp-mark near">~ Near</span> some of the same points stand behind both, which may differ
        </li>
        <li>
          <span class="cmp-mark here">! Only here</span>
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
          Keep the left, make another right
        </a>
        <a class="button" href={hrefOf({ view: 'compare', left: right.digest.id, right: null })}>
          Keep the right, make another beside it
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
      These digests do not read the same documents: {ofLeft.size} on the left, {ofRight.size} on the right, {shared} of
      them on both sides. Only what is said in those can be in both.
    </p>
  );
}
