import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';

type Document = StoredDigest['digest']['documents'][number];

/** What a digest says about itself: what was not read, and what the service warns of. */
export function Notes() {
  const { digest, documentOf } = useReading();
  const { warnings } = digest;
  const unread = digest.documents.filter(({ status }) => status === 'failed');
  const isDegraded = digest.status === 'partial' && unread.length === 0;
  if (unread.length + warnings.length === 0 && !isDegraded) return null;
  return (
    <section class="read-notes" aria-labelledby="read-notes">
      <h2 id="read-notes">Notes</h2>
      <ul>
        {unread.map((document) => (
          <li key={document.id}>
            Could not be read: <bdi>{documentOf(document.id).name}</bdi>. {document.error?.message}
          </li>
        ))}
        {isDegraded && <li>One step failed and was done in a simpler way.</li>}
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </section>
  );
}

const KINDS = [
  { status: 'empty', name: 'Without a key point' },
  { status: 'excluded', name: 'Left out' },
] as const;

/** The documents that a digest is not made of, and why. */
export function DocumentFacts({ digest }: StoredDigest) {
  const { documentOf } = useReading();
  return (
    <>
      <p>
        {count(digest.keyPoints.length, 'key point')} in {count(digest.documents.length, 'document')}.
      </p>
      {KINDS.map(({ status, name }) => {
        const documents = digest.documents.filter((document) => document.status === status);
        if (documents.length === 0) return null;
        return (
          <details key={status}>
            <summary>
              {name}: {count(documents.length, 'document')}
            </summary>
            <ul>
              {documents.map((document) => (
                <li key={document.id}>
                  <bdi>{documentOf(document.id).name}</bdi> <span class="muted">{whyOf(document)}</span>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}

function whyOf({ excluded }: Document): string {
  if (excluded === 'date') return 'Published outside the dates you gave.';
  return excluded === 'known' ? 'Already read for the earlier digest.' : '';
}
