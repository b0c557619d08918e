import { Facts } from '../parts/table.tsx';
import { count, number, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { type MapPoint, statusOf } from './points.ts';

interface PointCardProps {
  readonly digest: string;
  readonly point: MapPoint;
  readonly points: readonly MapPoint[];
  readonly isPinned: boolean;
  readonly onPin: () => void;
}

export function PointCard({ digest, point, points, isPinned, onPin }: PointCardProps) {
  const { id, title, text, quote, speaker, selected, relevance, salience, gain, marginal, nearest } = point;
  const other = points.find((each) => each.id === nearest?.id);
  const facts: Parameters<typeof Facts>[0]['of'] = [
    ['Relevance', number(relevance)],
    ['Said by', salience === null ? null : count(salience, 'other document')],
    [selected ? 'Gain' : 'Possible gain', gain === null ? null : number(gain)],
    [
      'Most similar to',
      nearest && other
        ? `${other.selected ? `No. ${other.rank}, ` : ''}${percent(nearest.similarity)} similar: “${other.text}”`
        : null,
    ],
    ['Probability', marginal === null ? null : `${percent(marginal)} of all draws`],
  ];
  return (
    <>
      <p class="map-status">{statusOf(point, points)}.</p>
      {text !== quote.text && <p>{text}</p>}
      <blockquote>{quote.text}</blockquote>
      <p class="muted">
        {speaker && `${speaker}, in `}
        {title}
      </p>
      <div class="actions">
        <a class="button" href={hrefOf({ view: 'digest', id: digest, face: 'read', point: id })}>
          Open the source
        </a>
        <button type="button" aria-pressed={isPinned} onClick={onPin}>
          {isPinned ? 'Pinned' : 'Pin'}
        </button>
      </div>
      <Facts of={facts} />
    </>
  );
}
