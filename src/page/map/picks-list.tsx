import { type Differences, differencesSentence } from './differences.ts';
import './map-lists.css';
import type { MapPoint } from './map-point.ts';
import type { Picture } from './picture.ts';

interface PicksListProps {
  readonly points: readonly MapPoint[];
  readonly picture: Picture;
  /** Against the digest; null where its own selection is shown. */
  readonly changed: Differences | null;
  /** How many the digest picked, and let go because its summary could not hold them. */
  readonly letGo: number;
  readonly pinned: number | null;
  readonly onPin: (place: number | null) => void;
}

/** What is selected, by rank, with what came and went. */
export function PicksList({ points, picture: { picks }, changed, letGo, pinned, onPin }: PicksListProps) {
  const gone = changed === null ? [] : [...points.keys()].filter((i) => changed.gone.has(points[i].id));
  const row = (i: number, sign: '+' | '–' | null) => (
    <li
      key={points[i].id}
      data-point={points[i].id}
      class={sign === null ? '' : sign === '+' ? 'map-added' : 'map-gone'}
    >
      <button
        type="button"
        class="plain map-pick"
        aria-pressed={i === pinned}
        onClick={() => onPin(i === pinned ? null : i)}
      >
        {sign !== null && (
          <span class="map-sign">
            {sign} <span class="unseen">{sign === '+' ? 'added: ' : 'gone: '}</span>
          </span>
        )}
        {points[i].text}
      </button>
    </li>
  );
  return (
    <section class="map-chosen" aria-labelledby="map-picks-title">
      <h2 id="map-picks-title">{`Selected (${picks.length})`}</h2>
      <p class="muted">
        {changed === null ? 'As the digest has them, in the order they were picked.' : differencesSentence(changed)}
        {changed !== null && letGo > 0 && ` ${letGoSentence(letGo)}`}
      </p>
      {picks.length === 0 ? (
        <p class="empty">Nothing is selected.</p>
      ) : (
        <ol class="map-picks" id="map-picks">
          {picks.map((i) => row(i, changed?.added.has(points[i].id) ? '+' : null))}
        </ol>
      )}
      {gone.length > 0 && (
        <>
          <h3>Gone</h3>
          <ul class="map-picks" id="map-gone">
            {gone.map((i) => row(i, '–'))}
          </ul>
        </>
      )}
    </section>
  );
}

function letGoSentence(letGo: number): string {
  return `${letGo} that the digest’s summary had no room for ${letGo === 1 ? 'counts' : 'count'} as picked.`;
}
