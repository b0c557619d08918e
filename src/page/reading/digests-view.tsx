import { useState } from 'preact/hooks';
import type { DigestEntry } from '../../client/client.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { DigestRow } from './digest-row.tsx';
import { useDigestPages } from './use-digest-pages.ts';
import { STATUS_WORDS } from './words.ts';
import './read.css';
import './digests.css';

// The keys of STATUS_WORDS are the statuses.
const STATUSES = Object.keys(STATUS_WORDS) as DigestEntry['status'][];

/** The digests that are stored, the newest first. */
export function DigestsView() {
  const { client } = useService();
  const [status, setStatus] = useState<DigestEntry['status'] | null>(null);
  const [{ entries, next, isLoading, failure }, more] = useDigestPages(client, status);
  const isEmpty = next === null && entries.length === 0;
  return (
    <>
      <h1>Digests</h1>
      <label class="digests-filter">
        Show
        <select
          value={status ?? ''}
          onChange={({ currentTarget }) => setStatus(STATUSES.find((each) => each === currentTarget.value) ?? null)}
        >
          <option value="">All</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {STATUS_WORDS[each].word}
            </option>
          ))}
        </select>
      </label>
      {entries.length > 0 && (
        <ul class="digests-list" aria-label="Digests">
          {entries.map((entry) => (
            <DigestRow key={entry.id} {...entry} />
          ))}
        </ul>
      )}
      {isEmpty && status === null && (
        <div class="empty">
          <p>No digest was made yet.</p>
          <p>
            <a href={hrefOf({ view: 'make' })}>Make a digest</a> of your own documents, or try the example there.
          </p>
        </div>
      )}
      {isEmpty && status !== null && <p class="empty">No digest is “{STATUS_WORDS[status].word}”.</p>}
      {isLoading && <Loading what="digests" />}
      {failure !== null && <Problem failure={failure} again={more} />}
      {typeof next === 'string' && !isLoading && failure === null && (
        <button type="button" onClick={more}>
          More
        </button>
      )}
    </>
  );
}
