import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DigestMap } from '../../client/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { useMedia } from '../parts/use-media.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import type { LayoutKind } from './choose-layout.ts';
import { differences, differencesSentence } from './differences.ts';
import type { Attention } from './draw-map.ts';
import { othersAt } from './inside-region.ts';
import { LayoutStatus } from './layout-status.tsx';
import { Legend } from './legend.tsx';
import { MapPlot } from './map-plot.tsx';
import type { MapPoint } from './map-point.ts';
import { MapTools } from './map-tools.tsx';
import { count } from './numbers.ts';
import { PicksList } from './picks-list.tsx';
import { ownPicks, ownPicture } from './picture.ts';
import { PointCard } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { makeScene } from './scene.ts';
import { SelectionControls } from './selection-controls.tsx';
import { statusSentence } from './status-sentence.ts';
import { useLayout } from './use-layout.ts';
import { useReselection } from './use-reselection.ts';

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
      <section class="panel map-card" aria-labelledby="map-card-title">
        <h2 id="map-card-title">Key point</h2>
        {shown === null ? (
          <p class="muted">Point at the map, tap it, or go through it with the arrow keys, to see what a point says.</p>
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
