import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { DigestMap } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce, useMedia } from '../parts/browser.ts';
import { Check, Select } from '../parts/fields.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { count, number, percent } from '../parts/words.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import type { Attention } from './drawing.ts';
import { ITERATIONS, type Layout, type LayoutKind, othersAt, shareOfTwo, useLayout } from './layout.ts';
import { Plot } from './plot.tsx';
import { Legend, PointCard, statusSentence } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { differences, type MapPoint, makeScene, mapPoints, ownPicks, ownPicture } from './points.ts';
import { useReselection } from './reselection.ts';
import { SelectionControls } from './selection-controls.tsx';
import './map.css';

/** Vector components used by the layout. */
const DIMENSIONS = 32;

export function MapView({ digest, request }: StoredDigest) {
  const { client, hasKey } = useService();
  const points = useMemo(() => mapPoints({ digest, request }), [digest, request]);
  const loading = useLoaded(`${digest.id} ${hasKey}`, (signal) =>
    client.digests.map(digest.id, { dimensions: DIMENSIONS, signal }),
  );
  const documents = new Set(points.map(({ document }) => document)).size;
  const intent = typeof request.intent === 'string' ? request.intent : request.intent?.problem;
  return (
    <div class="map-view">
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>← Back to the digest</a>
      </p>
      <h1>Map of the key points</h1>
      {intent && <p class="map-intent">{intent}</p>}
      {points.length === 0 ? (
        <p class="empty">This digest has no key points to show.</p>
      ) : (
        <>
          <p class="muted">
            {`${count(points.length, 'key point')} from ${count(documents, 'document')}.`}
            {points.length > 1 && ' Similar ones are close together.'}
          </p>
          <Await of={loading} what="the map">
            {(map) => <Workbench digest={digest} request={request} points={points} map={map} />}
          </Await>
        </>
      )}
    </div>
  );
}

interface WorkbenchProps extends StoredDigest {
  readonly points: readonly MapPoint[];
  readonly map: DigestMap;
}

function Workbench({ digest, request, points, map }: WorkbenchProps) {
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
  const { standings, picks } = picture;
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
  const rankOf = useCallback(
    (id: string) => {
      const place = picks.findIndex((i) => points[i].id === id);
      return place < 0 ? null : (standings[picks[place]].rank ?? place + 1);
    },
    [points, picks, standings],
  );
  const all = useMemo(() => [...points.keys()], [points]);
  const past = useMemo(() => all.filter((i) => !scene.isGated[i]), [all, scene]);
  const canBeClose = past.length > 0 && past.length < points.length;
  const shown = lookedAt ?? pinned;
  const attention = useMemo<Attention>(() => {
    const ofDocument = document === null ? null : new Set(all.filter((i) => points[i].document === document));
    return { shown, pinned, ofDocument };
  }, [shown, pinned, all, points, document]);

  const wasChanged = useRef(false);
  useEffect(() => {
    if (changed !== null) announce(`${count(picks.length, 'key point')} selected. ${changed.sentence}`);
    else if (wasChanged.current) announce('The digest’s own selection.');
    wasChanged.current = changed !== null;
  }, [changed, picks]);

  const pin = (point: number | null): void => {
    // A point that is no longer pinned stays shown.
    lookAt(point === null ? shown : null);
    setPinned(point);
    if (point !== null) announce(`Pinned: ${points[point].text}`);
  };
  const show = (point: number | null, byKey: boolean): void => {
    if (point !== null || pinned !== null) lookAt(point);
    if (byKey && point !== null) {
      const { text, title } = points[point];
      announce(`${text} ${statusSentence(standings[point], rankOf)} From ${title}.`);
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
          <div class="map-tools">
            <LayoutChoice wanted={wanted} canGroup={layout.whyNot === null} onWant={want} />
            <DocumentChoice points={points} document={document} onDocument={setDocument} />
            {canBeClose && <Check label="Show relevant key points only" isChecked={isClose} onChange={setIsClose} />}
            <button
              type="button"
              class="map-by-touch"
              aria-pressed={marksByTouch}
              onClick={() => setMarksByTouch(!marksByTouch)}
            >
              Select a region
            </button>
          </div>
          <Plot
            label={`Map of ${count(points.length, 'key point')}, ${picks.length} of them selected`}
            positions={layout.positions}
            scene={scene}
            among={canBeClose && isClose ? past : undefined}
            attention={attention}
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
            standing={standings[shown]}
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
      <PointList
        points={points}
        picture={picture}
        changed={changed}
        dropped={own.picks.size - own.picture.picks.length}
        pinned={pinned}
        onPin={pin}
        rankOf={rankOf}
        listed={inside ?? all}
        isRegion={inside !== null}
        onClear={() => clearing.current()}
      />
    </div>
  );
}

/** The vectors in the order of the points; zeros for points missing from the map. */
function vectorsOf(points: readonly MapPoint[], mapped: DigestMap['points']): (readonly number[])[] {
  const vectorOf = new Map(mapped.map(({ id, vector }) => [id, vector]));
  const middle = new Array<number>(mapped[0]?.vector.length ?? 0).fill(0);
  return points.map(({ id }) => vectorOf.get(id) ?? middle);
}

interface LayoutChoiceProps {
  readonly wanted: LayoutKind;
  readonly canGroup: boolean;
  readonly onWant: (kind: LayoutKind) => void;
}

function LayoutChoice({ wanted, canGroup, onWant }: LayoutChoiceProps) {
  const name = useId();
  const kinds = [
    { kind: 'tsne', label: 'Groups (t-SNE)' },
    { kind: 'pca', label: 'Main directions (PCA)' },
  ] as const;
  return (
    <fieldset>
      <legend>Layout</legend>
      {kinds.map(({ kind, label }) => (
        <label key={kind}>
          <input
            type="radio"
            name={name}
            checked={kind === (canGroup ? wanted : 'pca')}
            disabled={!canGroup && kind === 'tsne'}
            onChange={() => onWant(kind)}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}

interface DocumentChoiceProps {
  readonly points: readonly MapPoint[];
  readonly document: string | null;
  readonly onDocument: (id: string | null) => void;
}

function DocumentChoice({ points, document, onDocument }: DocumentChoiceProps) {
  const documents = useMemo(() => {
    const titles = new Map(points.map((point) => [point.document, point.title]));
    return [...titles].map(([id, title]) => {
      const { length } = points.filter((point) => point.document === id);
      return [id, `${title} (${length})`] as const;
    });
  }, [points]);
  return (
    <Select
      label="Highlight a document"
      value={document ?? undefined}
      choices={[['', `All ${number(documents.length)}`], ...documents]}
      onChoose={(id) => onDocument(id ?? null)}
    />
  );
}

interface LayoutStatusProps {
  readonly layout: Layout;
  readonly vectors: readonly (readonly number[])[];
  /** Share of the total variance. */
  readonly explained: number;
  readonly isStill: boolean;
}

function LayoutStatus({ layout: { kind, iteration, whyNot }, vectors, explained, isStill }: LayoutStatusProps) {
  const isReady = kind === 'tsne' && iteration === ITERATIONS;
  useEffect(() => {
    if (isReady) announce('The map is laid out.');
  }, [isReady]);
  if (vectors.length === 1) return <p class="muted map-status">There is only one key point, in the middle.</p>;
  if (kind === 'pca') {
    return (
      <p class="muted map-status">
        {whyNot !== null && `${whyNot} `}
        This map shows the two directions in which the key points differ most (PCA):{' '}
        {percent(explained * shareOfTwo(vectors))} of all differences.
      </p>
    );
  }
  if (!isReady) {
    return (
      <p class="muted map-status">
        <label>
          <progress max={ITERATIONS} value={iteration} />{' '}
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
