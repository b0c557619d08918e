import { Facts } from '../parts/table.tsx';
import { count, number, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { type ListedPoint, statusOf } from './points.ts';

interface PointCardProps {
  readonly digest: string;
  readonly point: ListedPoint;
  readonly points: readonly ListedPoint[];
}

export function PointCard({ digest, point, points }: PointCardProps) {
  const { id, title, text, quote, speaker, selected, relevance, salience, gain, marginal, nearest } = point;
  const other = points.find((each) => each.id === nearest?.id);
  const facts: Parameters<typeof Facts>[0]['of'] = [
    ['Relevance', number(relevance)],
    ['Said by', salience === null ? null : count(salience, 'other document')],
    [selected ? 'Adds' : 'Would add', gain === null ? null : number(gain)],
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
      <p class="points-status">{statusOf(point, points)}.</p>
      {text !== quote.text && <p>{text}</p>}
      <blockquote>{quote.text}</blockquote>
      <p class="muted">
        {speaker && `${speaker}, in `}
        {title}
      </p>
      <p>
        <a class="button" href={hrefOf({ view: 'digest', id: digest, face: 'read', point: id })}>
          Open the source
        </a>
      </p>
      <Facts of={facts} />
    </>
  );
}
