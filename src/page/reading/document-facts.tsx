import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';

type Document = StoredDigest['digest']['documents'][number];

const KINDS: readonly {
  readonly status: Exclude<Document['status'], 'ok'>;
  readonly name: string;
  readonly sign: string;
}[] = [
  { status: 'failed', name: 'Could not be read', sign: '✕' },
  { status: 'empty', name: 'Without a statement to use', sign: '○' },
  { status: 'excluded', name: 'Left out', sign: '–' },
];

/** The documents that the digest is not made of, and why. */
export function DocumentFacts({ digest }: StoredDigest) {
  const { documentOf } = useReading();
  const quotable = digest.documents.filter(({ status }) => status === 'ok').length;
  return (
    <>
      <h3>Documents</h3>
      <p>
        {quotable} of {count(digest.documents.length, 'document')} {quotable === 1 ? 'has' : 'have'} something to quote:{' '}
        {count(digest.keyPoints.length, 'statement')} in all.
      </p>
      {KINDS.map(({ status, name, sign }) => {
        const documents = digest.documents.filter((document) => document.status === status);
        if (documents.length === 0) return null;
        return (
          <details key={status} open={status === 'failed'}>
            <summary>
              <span aria-hidden="true">{sign}</span> {name}: {documents.length}
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

function whyOf({ status, excluded, error }: Document): string {
  if (excluded === 'date') return 'It was published outside the time that was asked for.';
  if (excluded === 'known') return 'It was read for the earlier digest.';
  if (error !== null) return error.message;
  return status === 'empty' ? 'Nothing in it is a statement that could be quoted.' : '';
}
