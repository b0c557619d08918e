import type { ComponentChildren } from 'preact';
import { count, number, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import type { MapPoint, Picture, Standing } from './points.ts';

type RankOf = (id: string) => number | null;

const REASONS: Readonly<Record<NonNullable<Standing['reason']>, readonly [words: string, sentence: string]>> = {
  supports: ['cited with another', ''],
  gate: ['not relevant enough', 'Not selected: not relevant enough to the question.'],
  level: ['hardly helps', 'Not selected: it hardly helps to answer the question.'],
  known: ['known already', 'Left out: the reader already knows it.'],
  rank: ['adds nothing', 'Not selected: it adds nothing new.'],
  words: ['no words left', 'Not selected: the answer had no room left.'],
  size: ['not selected', 'Not selected: enough key points came first.'],
  notDrawn: ['not drawn', 'Not drawn.'],
  unverified: ['quote not found', 'Left out: its quote is not in the document.'],
  wording: ['wording wrong', 'Left out: its wording was judged wrong, and its quote says too little alone.'],
};

export function statusSentence(standing: Standing, rankOf: RankOf): string {
  const { selected, rank, reason, gain, marginal, supports, nearest } = standing;
  if (selected) return rank === null ? 'Selected.' : `Selected as no. ${rank}.`;
  if (reason === null) return 'Not selected.';
  if (reason === 'supports') {
    const id = supports ?? nearest?.id ?? '';
    const other = rankOf(id) === null ? 'a selected one' : `no. ${rankOf(id)}`;
    const alike = nearest !== null && nearest.id === id ? ` (${percent(nearest.similarity)} similar)` : '';
    return `Cited with ${other}: the service found that it says the same${alike}.`;
  }
  const [, sentence] = REASONS[reason];
  if ((reason === 'words' || reason === 'size') && gain !== null) return `${sentence} It would add ${number(gain)}.`;
  return reason === 'notDrawn' && marginal !== null
    ? `${sentence} ${percent(marginal)} of all draws have it.`
    : sentence;
}

export function statusWords({ selected, rank, reason, supports }: Standing, rankOf: RankOf): string {
  if (selected) return rank === null ? 'selected' : `no. ${rank}`;
  const other = reason === 'supports' && supports !== null ? rankOf(supports) : null;
  if (other !== null) return `cited with no. ${other}`;
  return reason === null ? 'not selected' : REASONS[reason][0];
}

interface PointCardProps {
  readonly digest: string;
  readonly point: MapPoint;
  readonly standing: Standing;
  /** Share of all points that are less relevant. */
  readonly share: number;
  readonly nearest: MapPoint | null;
  readonly rankOf: RankOf;
  readonly others: number;
  readonly isPinned: boolean;
  readonly onPin: () => void;
}

export function PointCard(props: PointCardProps) {
  const { digest, point, standing, share, nearest, rankOf, others, isPinned, onPin } = props;
  const { title, text, quote, speaker } = point;
  const { selected, relevance, salience, gain, marginal } = standing;
  return (
    <>
      <p class="map-card-status">
        <span class={`map-mark ${selected ? 'map-mark-selected' : 'map-mark-unselected'}`} aria-hidden="true" />{' '}
        {statusSentence(standing, rankOf)}
      </p>
      {text !== quote && <p>{text}</p>}
      <blockquote class="map-quote">{quote}</blockquote>
      <p class="muted">
        {speaker && `${speaker}, in `}
        {title}
      </p>
      {others > 0 && (
        <p class="muted">{`${count(others, 'more key point')} at this place. Select the region to list them.`}</p>
      )}
      <div class="actions">
        <a class="button" href={hrefOf({ view: 'digest', id: digest, face: 'read', point: point.id })}>
          Open the source
        </a>
        <button type="button" aria-pressed={isPinned} onClick={onPin}>
          {isPinned ? 'Pinned' : 'Pin'}
        </button>
      </div>
      <dl class="map-receipt">
        <Row name="Relevance">{`${number(relevance)} (${placeOf(share)})`}</Row>
        {salience !== null && <Row name="Said by">{count(salience, 'other document')}</Row>}
        {gain !== null && <Row name={selected ? 'Gain' : 'Possible gain'}>{number(gain)}</Row>}
        {standing.nearest !== null && nearest !== null && (
          <Row name="Most similar to">
            {rankOf(nearest.id) === null ? '' : `No. ${rankOf(nearest.id)}, `}
            {`${percent(standing.nearest.similarity)} similar: “${nearest.text}”`}
          </Row>
        )}
        {marginal !== null && <Row name="Probability">{`${percent(marginal)} of all draws`}</Row>}
      </dl>
    </>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function placeOf(share: number): string {
  if (share >= 1) return 'none is more relevant';
  if (share < 0.01) return 'among the least relevant of all';
  return share > 0.99
    ? 'among the most relevant of all'
    : `more relevant than ${percent(Number(share.toFixed(2)))} of all`;
}

export function Legend({ picture, gone }: { readonly picture: Picture; readonly gone: number | null }) {
  const { standings, picks } = picture;
  const joined = standings.filter(({ supports }) => supports !== null).length;
  const gated = standings.filter(({ reason }) => reason === 'gate' || reason === 'known').length;
  const hasKnown = standings.some(({ reason }) => reason === 'known');
  const rest = standings.length - picks.length - gated;
  const circle = (cx: number, opacity = 1) => (
    <circle key={cx} class="map-legend-unselected" cx={cx} cy="10" r="5" fill-opacity={opacity} />
  );
  return (
    <ul class="map-legend" aria-label="What the marks mean">
      <Mark shape={<path class="map-legend-selected" d="M10 2 18 16 2 16Z" />}>
        <strong>{count(picks.length, 'selected key point')}</strong>, numbered in the order of selection
      </Mark>
      {rest > 0 && (
        <Mark width={60} shape={[0.25, 0.5, 0.75, 0.95].map((opacity, i) => circle(8 + 14 * i, opacity))}>
          <strong>{number(rest)} not selected</strong>: the stronger the colour, the more relevant
        </Mark>
      )}
      {gated > 0 && (
        <Mark shape={<circle class="map-legend-gated" cx="10" cy="10" r="5" />}>
          <strong>{number(gated)} not relevant enough</strong> to the question{hasKnown && ', or known already'}
        </Mark>
      )}
      {joined > 0 && (
        <Mark
          width={34}
          shape={[
            <path key="line" class="map-legend-join" d="M8 10 26 7" />,
            circle(7),
            <path key="end" class="map-legend-selected" d="M27 1 33 12 21 12Z" />,
          ]}
        >
          <strong>{number(joined)} cited together</strong> with the selected key point at the end of the line
        </Mark>
      )}
      {gone !== null && (
        <Mark shape={<path class="map-legend-gone" d="M10 2 18 16 2 16Z" />}>
          <strong>{number(gone)} removed</strong>: selected in the digest but not here; <strong>+</strong> marks what
          was added
        </Mark>
      )}
    </ul>
  );
}

interface MarkProps {
  readonly width?: number;
  readonly shape: ComponentChildren;
  readonly children: ComponentChildren;
}

function Mark({ width = 20, shape, children }: MarkProps) {
  return (
    <li>
      <svg width={width} height="20" viewBox={`0 0 ${width} 20`} aria-hidden="true">
        {shape}
      </svg>
      <span>{children}</span>
    </li>
  );
}
