import { count } from './numbers.ts';
import type { Picture } from './picture.ts';

/** What the marks of the map mean, with how many there are of each. */
export function Legend({ picture, gone }: { readonly picture: Picture; readonly gone: number | null }) {
  const { standings, picks } = picture;
  const joined = standings.filter(({ supports }) => supports !== null).length;
  const gated = standings.filter(({ reason }) => reason === 'gate' || reason === 'known').length;
  const hasKnown = standings.some(({ reason }) => reason === 'known');
  const rest = standings.length - picks.length - gated;
  return (
    <ul class="map-legend" aria-label="What the marks mean">
      <li>
        <Mark>
          <path class="map-legend-selected" d="M10 2 18 16 2 16Z" />
        </Mark>
        <span>
          <strong>{count(picks.length, 'selected key point')}</strong>, numbered in the order of selection
        </span>
      </li>
      {rest > 0 && (
        <li>
          <Mark width={60}>
            {[0.25, 0.5, 0.75, 0.95].map((opacity, i) => (
              <circle
                key={opacity}
                class="map-legend-unselected"
                cx={8 + 14 * i}
                cy="10"
                r="5"
                fill-opacity={opacity}
              />
            ))}
          </Mark>
          <span>
            <strong>{rest.toLocaleString('en')} not selected</strong>: the stronger the colour, the more relevant
          </span>
        </li>
      )}
      {gated > 0 && (
        <li>
          <Mark>
            <circle class="map-legend-gated" cx="10" cy="10" r="5" />
          </Mark>
          <span>
            <strong>{gated.toLocaleString('en')} not relevant enough</strong> to the question
            {hasKnown && ', or known already'}
          </span>
        </li>
      )}
      {joined > 0 && (
        <li>
          <Mark width={34}>
            <path class="map-legend-join" d="M8 14 26 7" />
            <circle class="map-legend-unselected" cx="7" cy="14" r="4" />
            <path class="map-legend-selected" d="M27 1 33 12 21 12Z" />
          </Mark>
          <span>
            <strong>{joined.toLocaleString('en')} cited together</strong> with the selected key point at the end of the
            line
          </span>
        </li>
      )}
      {gone !== null && (
        <li>
          <Mark>
            <path class="map-legend-gone" d="M10 2 18 16 2 16Z" />
          </Mark>
          <span>
            <strong>{gone.toLocaleString('en')} removed</strong>: selected in the digest but not here;{' '}
            <strong>+</strong> marks what was added
          </span>
        </li>
      )}
    </ul>
  );
}

function Mark({ width = 20, children }: { readonly width?: number; readonly children: preact.ComponentChildren }) {
  return (
    <svg width={width} height="20" viewBox={`0 0 ${width} 20`} aria-hidden="true">
      {children}
    </svg>
  );
}
