import type { ComponentChild } from 'preact';
import { hrefOf } from '../route.ts';
import type { MapPoint, Standing } from './map-point.ts';
import { amount, count, percent } from './numbers.ts';
import { statusSentence } from './status-sentence.ts';

interface PointCardProps {
  readonly digest: string;
  readonly point: MapPoint;
  readonly standing: Standing;
  /** Share of all points that it is more relevant than. */
  readonly share: number;
  /** The selected point that it is most like. */
  readonly nearest: MapPoint | null;
  readonly rankOf: (id: string) => number | null;
  /** How many others lie at the same place, below it. */
  readonly others: number;
  readonly isPinned: boolean;
  readonly onPin: () => void;
}

/** All that is known of one key point: what its document says, what became of it, and its receipt. */
export function PointCard({
  digest,
  point,
  standing,
  share,
  nearest,
  rankOf,
  others,
  isPinned,
  onPin,
}: PointCardProps) {
  const { title, text, quote, speaker } = point;
  return (
    <>
      <p class="map-card-status">
        <span
          class={`map-mark ${standing.selected ? 'map-mark-selected' : 'map-mark-unselected'}`}
          aria-hidden="true"
        />{' '}
        {statusSentence(standing, rankOf)}
        {(standing.reason === 'gate' || standing.reason === 'known') &&
          standing.nearest === null &&
          standing.gain === null &&
          ' Nothing else was computed for it.'}
      </p>
      {text !== quote && <p class="map-card-text">{text}</p>}
      <blockquote class="map-quote">{quote}</blockquote>
      <p class="muted">
        {speaker !== null && speaker !== '' && `${speaker}, in `}
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
        <Row name="Relevance">{`${amount(standing.relevance)} (${place(share)})`}</Row>
        {standing.salience !== null && <Row name="Said by">{count(standing.salience, 'other document')}</Row>}
        {standing.gain !== null && (
          <Row name={standing.selected ? 'Gain' : 'Possible gain'}>{amount(standing.gain)}</Row>
        )}
        {standing.nearest !== null && nearest !== null && (
          <Row name="Most similar to">
            {rankOf(standing.nearest.id) === null ? '' : `No. ${rankOf(standing.nearest.id)}, `}
            {`${percent(standing.nearest.similarity)} similar: “${nearest.text}”`}
          </Row>
        )}
        {standing.marginal !== null && <Row name="Probability">{`${percent(standing.marginal)} of all draws`}</Row>}
      </dl>
    </>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChild }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function place(share: number): string {
  if (share >= 1) return 'none is more relevant';
  if (share < 0.01) return 'among the least relevant of all';
  return share > 0.99 ? 'among the most relevant of all' : `more relevant than ${percent(share)} of all`;
}
