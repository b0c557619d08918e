import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DigestMap } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { useMedia } from '../parts/use-media.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { startThread } from '../threads.ts';
import { firstTwo, type LayoutKind, perplexityOf, shareOfTwo, whyNoTsne } from './choose-layout.ts';
import { type Differences, differences, differencesSentence } from './differences.ts';
import type { Attention } from './draw-map.ts';
import { othersAt } from './inside-region.ts';
import type { LayoutNews, LayoutOrder } from './layout-message.ts';
import { Legend } from './legend.tsx';
import { MapPlot } from './map-plot.tsx';
import type { MapPoint } from './map-point.ts';
import { MapTools } from './map-tools.tsx';
import { count, percent } from './numbers.ts';
import { ownPicks, ownPicture, type Picture } from './picture.ts';
import { PointCard } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { makeScene } from './scene.ts';
import { SelectionControls } from './selection-controls.tsx';
import { statusSentence } from './status-sentence.ts';
import { useReselection } from './use-reselection.ts';
import './map-lists.css';

const ITERATIONS = 500;

/** Where the points are, and how that was found. */
interface Layout {
  /** x and y, point after point. */
  readonly positions: Float64Array;
  /** Which picture this is. */
  readonly kind: LayoutKind;
  /** Iterations of t-SNE so far; null where it does not run. */
  readonly iteration: number | null;
  /** Why there is no t-SNE; null where there is, or will be. */
  readonly whyNot: string | null;
}

/**
 * Lays out points in a thread of its own, which ends with the component. Until it tells of a layout, the two main directions of
 * the points are the picture, from which it begins.
 *
 * @param wanted which of the two is to be shown
 * @param isStill whether only the last layout is to be shown
 */
function useLayout(vectors: readonly (readonly number[])[], wanted: LayoutKind, isStill: boolean): Layout {
  const flat = useMemo(() => firstTwo(vectors), [vectors]);
  const [news, setNews] = useState<LayoutNews | null>(null);
  const [failed, setFailed] = useState(false);
  const unfit = whyNoTsne(vectors.length);
  useEffect(() => {
    setNews(null);
    setFailed(false);
    if (unfit !== null) return;
    let thread: Worker | null = null;
    try {
      thread = startThread('layout');
      thread.onmessage = ({ data }: MessageEvent<LayoutNews>) => setNews(data);
      thread.onerror = (event) => {
        event.preventDefault();
        setFailed(true);
      };
      const order = orderOf(vectors, flat);
      thread.postMessage(order, [order.vectors.buffer]);
    } catch {
      setFailed(true);
    }
    return () => thread?.terminate();
  }, [vectors, flat, unfit]);

  const whyNot = unfit ?? (failed ? 'Grouping failed in this browser.' : null);
  if (wanted === 'pca' || whyNot !== null) return { positions: flat, kind: 'pca', iteration: null, whyNot };
  const iteration = news?.iteration ?? 0;
  const isShown = news !== null && (!isStill || iteration === ITERATIONS);
  return { positions: isShown ? news.layout : flat, kind: 'tsne', iteration, whyNot };
}

function orderOf(vectors: readonly (readonly number[])[], start: Float64Array): LayoutOrder {
  return {
    vectors: Float64Array.from(vectors.flat()),
    points: vectors.length,
    start,
    perplexity: perplexityOf(vectors.length),
    iterations: ITERATIONS,
  };
}

interface MapWorkbenchProps extends StoredDigest {
  readonly points: readonly MapPoint[];
  readonly map: DigestMap;
}

/** The map with all that belongs to it: the card of a point, settings to try, and lists of what is on the map. */
export function MapWorkbench({ digest, request, points, map }: MapWorkbenchProps) {
  const announce = useAnnounce();
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const [wanted, want] = useState<LayoutKind>('tsne');
  const [lookedAt, lookAt] = useState<number | null>(null);
  const [pinned, setPinned] = useState<number | null>(null);
  const [document, setDocument] = useState<string | null>(null);
  const [inside, setInside] = useState<readonly number[] | null>(null);
  const [isClose, setIsClose] = useState(false);
  const [marksByTouch, setMarksByTouch] = useState(false);
  const clearing = useRef(() => {});

  const vectors = useMemo(() => vectorsOf(points, map.points), [points, map]);
  const layout = useLayout(vectors, wanted, isStill);
  const own = useMemo(() => ({ picture: ownPicture(digest), picks: ownPicks(digest) }), [digest]);
  const trial = useReselection(digest, own.picture.picks.length);
  const picture = trial.picture ?? own.picture;
  const changed = useMemo(
    () =>
      trial.picture &&
      differences(
        own.picks,
        trial.picture.picks.map((i) => points[i].id),
      ),
    [own, trial.picture, points],
  );
  const scene = useMemo(() => makeScene(points, picture, changed && own.picks), [points, picture, changed, own]);
  const ranks = useMemo(
    () => new Map(picture.picks.map((i, k) => [points[i].id, picture.standings[i].rank ?? k + 1])),
    [points, picture],
  );
  const rankOf = useCallback((id: string) => ranks.get(id) ?? null, [ranks]);
  const everywhere = useMemo(() => [...points.keys()], [points]);
  const past = useMemo(() => everywhere.filter((i) => !scene.isGated[i]), [everywhere, scene]);
  const canBeClose = past.length > 0 && past.length < points.length;
  const ofDocument = useMemo(
    () => (document === null ? null : new Set(everywhere.filter((i) => points[i].document === document))),
    [points, everywhere, document],
  );
  const shown = lookedAt ?? pinned;
  const attention = useMemo<Attention>(() => ({ shown, pinned, ofDocument }), [shown, pinned, ofDocument]);

  const wasChanged = useRef(false);
  useEffect(() => {
    if (changed !== null) {
      announce(`${count(picture.picks.length, 'key point')} selected. ${differencesSentence(changed)}`);
    } else if (wasChanged.current) {
      announce('The digest’s own selection.');
    }
    wasChanged.current = changed !== null;
  }, [changed, picture, announce]);

  const pin = (place: number | null): void => {
    // What is not held any more is still looked at.
    lookAt(place === null ? shown : null);
    setPinned(place);
    if (place !== null) announce(`Pinned: ${points[place].text}`);
  };
  const show = (place: number | null, byKey: boolean): void => {
    if (place !== null) lookAt(place);
    else if (pinned !== null) lookAt(null);
    if (byKey && place !== null) {
      announce(
        `${points[place].text} ${statusSentence(picture.standings[place], rankOf)} From ${points[place].title}.`,
      );
    }
  };
  const near = shown === null ? null : scene.nearest[shown];
  return (
    <div class="map-grid">
      <section class="map-picture" aria-labelledby="map-picture-title">
        <h2 id="map-picture-title" class="unseen">
          The map
        </h2>
        <div class="map-stays">
          <MapTools
            points={points}
            wanted={wanted}
            canGroup={layout.whyNot === null}
            onWant={want}
            document={document}
            onDocument={setDocument}
            isClose={canBeClose ? isClose : null}
            onClose={setIsClose}
            marksByTouch={marksByTouch}
            onMarkByTouch={setMarksByTouch}
          />
          <MapPlot
            label={`Map of ${count(points.length, 'key point')}, ${picture.picks.length} of them selected`}
            positions={layout.positions}
            scene={scene}
            among={canBeClose && isClose ? past : undefined}
            attention={attention}
            isStill={isStill}
            marksByTouch={marksByTouch}
            onShow={show}
            onPin={pin}
            onInside={setInside}
            clearing={clearing}
          />
          <LayoutStatus layout={layout} vectors={vectors} explained={map.explained} isStill={isStill} />
          <Legend picture={picture} gone={changed && scene.gone.length} />
        </div>
      </section>
      <section class={`panel map-card ${shown === null ? '' : 'map-card-full'}`} aria-labelledby="map-card-title">
        <h2 id="map-card-title">Key point</h2>
        {shown === null ? (
          <p class="muted">Point at a dot, tap it, or use the arrow keys to see a key point.</p>
        ) : (
          <PointCard
            digest={digest.id}
            point={points[shown]}
            standing={picture.standings[shown]}
            share={scene.shares[shown]}
            nearest={near === null ? null : points[near]}
            rankOf={rankOf}
            others={othersAt(layout.positions, shown)}
            isPinned={shown === pinned}
            onPin={() => pin(shown === pinned ? null : shown)}
          />
        )}
      </section>
      <SelectionControls
        digest={digest}
        picked={own.picture.picks.length}
        trial={trial}
        hasBackground={typeof request.intent === 'object' && request.intent !== null && 'background' in request.intent}
      />

      <PicksList
        points={points}
        picture={picture}
        changed={changed}
        letGo={own.picks.size - own.picture.picks.length}
        pinned={pinned}
        onPin={pin}
      />
      <PointList
        points={points}
        picture={picture}
        rankOf={rankOf}
        listed={inside ?? everywhere}
        isRegion={inside !== null}
        pinned={pinned}
        onPin={pin}
        onClear={() => clearing.current()}
      />
    </div>
  );
}

/** The vectors in the order of the points; a point that the map does not hold is put in the middle. */
function vectorsOf(points: readonly MapPoint[], mapped: DigestMap['points']): (readonly number[])[] {
  const vectorOf = new Map(mapped.map(({ id, vector }) => [id, vector]));
  const middle = new Array<number>(mapped[0]?.vector.length ?? 0).fill(0);
  return points.map(({ id }) => vectorOf.get(id) ?? middle);
}

interface LayoutStatusProps {
  readonly layout: Layout;
  readonly vectors: readonly (readonly number[])[];
  /** Share of all differences that the vectors hold. */
  readonly explained: number;
  readonly isStill: boolean;
}

/** Which picture is shown, what it can be read for, and how far it is. */
function LayoutStatus({ layout: { kind, iteration, whyNot }, vectors, explained, isStill }: LayoutStatusProps) {
  const announce = useAnnounce();
  const isReady = iteration === ITERATIONS;
  useEffect(() => {
    if (isReady) announce('The map is laid out.');
  }, [isReady, announce]);
  if (vectors.length === 1) {
    return <p class="muted map-status">There is only one key point, in the middle.</p>;
  }
  if (kind === 'pca') {
    const share = percent(explained * shareOfTwo(vectors));
    return (
      <p class="muted map-status">
        {whyNot !== null && `${whyNot} This map shows `}
        {whyNot === null ? 'This map shows the' : 'the'} two directions in which the key points differ most (PCA):{' '}
        {share} of all differences.
      </p>
    );
  }
  if (!isReady) {
    return (
      <p class="muted map-status">
        <label>
          <progress max={ITERATIONS} value={iteration ?? 0} />{' '}
          {isStill
            ? 'Grouping similar key points. The map changes once, when that is done.'
            : 'Grouping similar key points (t-SNE). You can use the map meanwhile.'}
        </label>
      </p>
    );
  }
  return (
    <p class="muted map-status">
      Similar key points are close together (t-SNE). Axes and exact distances have no meaning.
    </p>
  );
}

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
function PicksList({ points, picture: { picks }, changed, letGo, pinned, onPin }: PicksListProps) {
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
            {sign} <span class="unseen">{sign === '+' ? 'added: ' : 'removed: '}</span>
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
        {changed === null ? 'As in the digest, in the order of selection.' : differencesSentence(changed)}
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
          <h3>Removed</h3>
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
