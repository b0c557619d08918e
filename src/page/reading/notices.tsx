import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';

/** What a reader should know before reading: what could not be done, and what the service warns of. */
export function Notices({ digest }: Pick<StoredDigest, 'digest'>) {
  const { warnings } = digest;
  const shortfall = shortfallOf(digest);
  return (
    <>
      {shortfall !== null && (
        <p class={digest.status === 'failed' ? 'problem' : 'notice'}>
          <strong>{digest.status === 'failed' ? 'This digest failed.' : 'This digest is not whole.'}</strong>{' '}
          {shortfall}
        </p>
      )}
      {warnings.length > 0 && (
        <div class="notice">
          <p class="read-notice-head">
            <strong>{warnings.length === 1 ? 'Take note' : `${warnings.length} things to note`}</strong>
          </p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** What a digest lacks, in words; null where nothing is. */
function shortfallOf({ status, documents }: StoredDigest['digest']): string | null {
  if (status === 'completed') return null;
  const failed = documents.filter((document) => document.status === 'failed').length;
  if (status === 'failed') {
    return documents.length === 1
      ? 'Its document could not be read, so there is nothing to report. Why stands below.'
      : 'None of its documents could be read, so there is nothing to report. Why stands below, for each.';
  }
  if (failed === 0) return 'A step could not be done as it was asked, and was done in a simpler way.';
  return `${count(failed, 'document')} of ${documents.length} could not be read; it is made of the others. Which, and why, stands below.`;
}
