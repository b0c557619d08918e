import { useEffect, useRef, useState } from 'preact/hooks';
import type { DigestEntry } from '../../client/index.ts';
import { moment } from '../parts/dates.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { fewAtATime } from './few-at-a-time.ts';
import { askedOf } from './intent.ts';
import type { StoredDigest } from './stored-digest.ts';
import { useDigestPages } from './use-digest-pages.ts';
import { count, STATUS_WORDS, shortened } from './words.ts';
import './read.css';
import './digests.css';

/** Requests that are read at once. */
const readFew = fewAtATime(3);
/** Characters of a question in the list. */
const LONGEST = 200;

/** A digest in a list, with what was asked once that is seen. */
function DigestRow({ id, status, createdAt }: DigestEntry) {
  const row = useRef<HTMLLIElement>(null);
  const request = useRequestWhenSeen(id, row);
  const { sign, word } = STATUS_WORDS[status];
  return (
    <li ref={row} class="digests-row">
      <a class="digests-link" href={hrefOf({ view: 'digest', id, face: 'read' })} dir="auto">
        {request === null ? `Digest of ${moment(createdAt)}` : shortened(askedOf(request.intent).heading, LONGEST)}
      </a>
      <p class="muted">
        <span class={`read-status read-status-${status}`}>
          <span aria-hidden="true">{sign}</span> {word}
        </span>{' '}
        · {moment(createdAt)}
        {request !== null && ` · ${count(request.documents.length, 'document')}`}
      </p>
    </li>
  );
}

function useRequestWhenSeen(id: string, row: { readonly current: HTMLElement | null }) {
  const { client } = useService();
  const [request, setRequest] = useState<StoredDigest['request'] | null>(null);
  useEffect(() => {
    if (row.current === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const observer = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // The row says enough without it, and the digest itself tells what is wrong.
      readFew(() => client.digests.request(id, { signal }), signal).then(
        (found) => signal.aborted || setRequest(found),
        () => {},
      );
    });
    observer.observe(row.current);
    return () => {
      observer.disconnect();
      leaving.abort();
    };
  }, [client, id, row]);
  return request;
}

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
