import { useEffect } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';
import { shareOfTwo } from './choose-layout.ts';
import { percent } from './numbers.ts';
import { ITERATIONS, type Layout } from './use-layout.ts';

interface LayoutStatusProps {
  readonly layout: Layout;
  readonly vectors: readonly (readonly number[])[];
  /** Share of all differences that the vectors hold. */
  readonly explained: number;
  readonly isStill: boolean;
}

/** Which picture is shown, what it can be read for, and how far it is. */
export function LayoutStatus({ layout: { kind, iteration, whyNot }, vectors, explained, isStill }: LayoutStatusProps) {
  const announce = useAnnounce();
  const isReady = iteration === ITERATIONS;
  useEffect(() => {
    if (isReady) announce('The map is laid out.');
  }, [isReady, announce]);
  if (vectors.length === 1) {
    return <p class="muted map-status">There is one key point, in the middle: nothing to be near to or far from.</p>;
  }
  if (kind === 'pca') {
    const share = percent(explained * shareOfTwo(vectors));
    return (
      <p class="muted map-status">
        {whyNot !== null && `${whyNot} So this is the plain picture: `}
        {whyNot === null ? 'The' : 'the'} two directions in which the key points differ most (PCA). They hold {share} of
        all differences.
      </p>
    );
  }
  if (!isReady) {
    return (
      <p class="muted map-status">
        <label>
          <progress max={ITERATIONS} value={iteration ?? 0} />{' '}
          {isStill
            ? 'Moving like to like. The picture changes once, when that is done.'
            : 'Moving like to like (t-SNE). Everything can be used meanwhile.'}
        </label>
      </p>
    );
  }
  return (
    <p class="muted map-status">
      Like lies with like (t-SNE). What is far apart differs; how far says little, and so do the axes.
    </p>
  );
}
