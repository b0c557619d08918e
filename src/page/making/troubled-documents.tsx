import type { SourceDocument } from '../../client/client.ts';
import { nameOf } from './document-facts.ts';

/** Documents that are named; more are marked in the list. */
const MOST = 3;

interface TroubledDocumentsProps {
  readonly documents: readonly SourceDocument[];
  readonly onSeek: (document: SourceDocument) => void;
}

/** The ways from what is said at the top to the documents that it is about. */
export function TroubledDocuments({ documents, onSeek }: TroubledDocumentsProps) {
  if (documents.length === 0) return null;
  return (
    <p class="actions">
      {documents.slice(0, MOST).map((document) => (
        <button key={document.id} type="button" class="making-seek" onClick={() => onSeek(document)}>
          Go to “{nameOf(document)}”
        </button>
      ))}
      {documents.length > MOST && <span class="muted">and {documents.length - MOST} more, marked below</span>}
    </p>
  );
}
