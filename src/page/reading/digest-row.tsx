import { useEffect, useRef, useState } from 'preact/hooks';
import type { DigestEntry } from '../../client/client.ts';
import { moment } from '../parts/dates.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { fewAtATime } from './few-at-a-time.ts';
import { askedOf } from './intent.ts';
import type { StoredDigest } from './stored-digest.ts';
import { count, STATUS_WORDS, shortened } from './words.ts';

/** Requests that are read at once. */
const readFew = fewAtATime(3);
/** Characters of a question in the list. */
const LONGEST = 200;

/** A digest in a list, with what was asked once that is seen. */
export function DigestRow({ id, status, createdAt }: DigestEntry) {
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
