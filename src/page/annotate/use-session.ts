import { useMemo, useReducer } from 'preact/hooks';
import type { LabelService } from './ask-service.ts';
import type { Decided, Session } from './protocol.ts';
import { type AnnotationSession, annotationSession } from './session.ts';

/** The decisions of one annotator; the component is drawn again whenever anything changes. */
export function useSession(
  service: LabelService,
  { items }: Session,
  annotator: string,
  known: readonly Decided[],
): AnnotationSession {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  return useMemo(
    () => annotationSession(items, known, (label) => service.save({ ...label, annotator }), draw),
    [service, items, annotator, known],
  );
}
