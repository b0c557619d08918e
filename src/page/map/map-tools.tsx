import { useId, useMemo } from 'preact/hooks';
import { useMedia } from '../parts/use-media.ts';
import type { LayoutKind } from './choose-layout.ts';
import type { MapPoint } from './map-point.ts';

interface MapToolsProps {
  readonly points: readonly MapPoint[];
  readonly wanted: LayoutKind;
  /** Whether there is more than one picture to choose from. */
  readonly canGroup: boolean;
  readonly onWant: (kind: LayoutKind) => void;
  /** Id of the document that is picked out. */
  readonly document: string | null;
  readonly onDocument: (id: string | null) => void;
  /** Whether the picture is filled by the points past the gate; null where all are. */
  readonly isClose: boolean | null;
  readonly onClose: (isClose: boolean) => void;
  readonly marksByTouch: boolean;
  readonly onMarkByTouch: (marks: boolean) => void;
}

const KINDS = [
  { kind: 'tsne', label: 'Groups (t-SNE)' },
  { kind: 'pca', label: 'Main directions (PCA)' },
] as const;

/** Which picture is shown, and what is picked out of it. */
export function MapTools(props: MapToolsProps) {
  const { points, wanted, canGroup, onWant, document, onDocument, isClose, onClose, marksByTouch, onMarkByTouch } =
    props;
  const name = useId();
  const hasTouch = useMedia('(any-pointer: coarse)');
  const documents = useMemo(() => {
    const found = new Map<string, { readonly title: string; readonly count: number }>();
    for (const { document: id, title } of points) found.set(id, { title, count: (found.get(id)?.count ?? 0) + 1 });
    return [...found];
  }, [points]);
  return (
    <div class="map-tools">
      <fieldset>
        <legend>Layout</legend>
        {KINDS.map(({ kind, label }) => (
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
      <label class="map-document">
        Highlight a document
        <select
          value={document ?? ''}
          onChange={({ currentTarget }) => onDocument(currentTarget.selectedIndex === 0 ? null : currentTarget.value)}
        >
          <option value="">{`All ${documents.length.toLocaleString('en')}`}</option>
          {documents.map(([id, { title, count }]) => (
            <option key={id} value={id}>
              {`${title} (${count})`}
            </option>
          ))}
        </select>
      </label>
      {isClose !== null && (
        <label class="map-check">
          <input type="checkbox" checked={isClose} onChange={({ currentTarget }) => onClose(currentTarget.checked)} />{' '}
          Show relevant key points only
        </label>
      )}
      {hasTouch && (
        <button type="button" aria-pressed={marksByTouch} onClick={() => onMarkByTouch(!marksByTouch)}>
          Select a region
        </button>
      )}
    </div>
  );
}
