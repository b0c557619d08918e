import { count, number, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { STRENGTHS } from './plot.tsx';
import { isGated, type MapPoint, type Picture, type Ranks, type Standing } from './points.ts';

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
};

export function statusSentence(standing: Standing, ranks: Ranks): string {
  const { selected, rank, reason, gain, marginal, supports, nearest } = standing;
  if (selected) return rank === null ? 'Selected.' : `Selected as no. ${rank}.`;
  if (reason === null) return 'Not selected.';
  if (reason === 'supports') {
    const id = supports ?? nearest?.id ?? '';
    const other = ranks.has(id) ? `no. ${ranks.get(id)}` : 'a selected one';
    const alike = nearest !== null && nearest.id === id ? ` (${percent(nearest.similarity)} similar)` : '';
    return `Cited with ${other}: the service found that it says the same${alike}.`;
  }
  const [, sentence] = REASONS[reason];
  if ((reason === 'words' || reason === 'size') && gain !== null) return `${sentence} It would add ${number(gain)}.`;
  return reason === 'notDrawn' && marginal !== null
    ? `${sentence} ${percent(marginal)} of all draws have it.`
    : sentence;
}

export function statusWords({ selected, rank, reason, supports }: Standing, ranks: Ranks): string {
  if (selected) return rank === null ? 'selected' : `no. ${rank}`;
  if (reason === null) return 'not selected';
  const other = reason === 'supports' ? ranks.get(supports ?? '') : undefined;
  return other === undefined ? REASONS[reason][0] : `cited with no. ${other}`;
}

interface PointCardProps {
  readonly digest: string;
  readonly point: MapPoint;
  readonly standing: Standing;
  readonly nearest: MapPoint | undefined;
  readonly ranks: Ranks;
  readonly isPinned: boolean;
  readonly onPin: () => void;
}

export function PointCard({ digest, point, standing, nearest, ranks, isPinned, onPin }: PointCardProps) {
  const { id, title, text, quote, speaker } = point;
  const { selected, relevance, salience, gain, marginal } = standing;
  const near = standing.nearest !== null && nearest !== undefined && ranks.get(nearest.id);
  const facts = [
    ['Relevance', number(relevance)],
    ['Said by', salience !== null && count(salience, 'other document')],
    [selected ? 'Gain' : 'Possible gain', gain !== null && number(gain)],
    [
      'Most similar to',
      standing.nearest !== null &&
        nearest !== undefined &&
        `${near ? `No. ${near}, ` : ''}${percent(standing.nearest.similarity)} similar: “${nearest.text}”`,
    ],
    ['Probability', marginal !== null && `${percent(marginal)} of all draws`],
  ] as const;
  return (
    <>
      <p>
        <strong>{statusSentence(standing, ranks)}</strong>
      </p>
      {text !== quote && <p>{text}</p>}
      <blockquote>{quote}</blockquote>
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
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== false && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  );
}

interface LegendProps {
  readonly picture: Picture;
  /** Number of points that the digest selected and this picture does not; null for the digest's own. */
  readonly gone: number | null;
}

export function Legend({ picture: { standings, picks }, gone }: LegendProps) {
  const joined = standings.filter(({ supports }) => supports !== null).length;
  const gated = standings.filter(isGated).length;
  const triangle = 'M10 2 18 16H2z';
  const dots = STRENGTHS.map((opacity, k) => (
    <path key={k} class="map-dots" opacity={opacity} d={`M${8 + 14 * k} 10h0`} />
  ));
  const marks = [
    [picks.length, 'selected, numbered in the order of selection', <path key="" class="map-selected" d={triangle} />],
    [standings.length - picks.length - gated, 'not selected: the stronger the colour, the more relevant', dots],
    [
      gated,
      'not relevant enough to the question, or known already',
      <circle key="" class="map-gated" cx="10" cy="10" r="5" />,
    ],
    [
      joined,
      'cited together with the selected key point at the end of a line',
      <path key="" class="map-join" d="M2 10h16" />,
    ],
    [
      gone ?? 0,
      'removed: selected in the digest but not here; + marks what was added',
      <path key="" class="map-gone" d={triangle} />,
    ],
  ] as const;
  return (
    <ul class="map-legend" aria-label="What the marks mean">
      {marks.map(
        ([amount, meaning, shape]) =>
          amount > 0 && (
            <li key={meaning}>
              <svg width={shape === dots ? 60 : 20} height="20" aria-hidden="true">
                {shape}
              </svg>
              <strong>{number(amount)}</strong> {meaning}
            </li>
          ),
      )}
    </ul>
  );
}
