import { type CancelledDigest, DigestFailedError, type FailedDigest } from '../../client/client.ts';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { DeleteDigest } from './delete-digest.tsx';
import { DigestHead } from './digest-head.tsx';
import type { StoredDigest } from './stored-digest.ts';
import './read.css';

interface EndedDigestProps {
  readonly digest: CancelledDigest | FailedDigest;
  readonly request: StoredDigest['request'];
}

/** A digest that ended before there was anything to read. */
export function EndedDigest({ digest, request }: EndedDigestProps) {
  return (
    <article>
      <DigestHead digest={digest} request={request} />
      {digest.status === 'failed' ? (
        <Problem failure={new DigestFailedError(digest.id, digest.error ?? null)} />
      ) : (
        <p class="empty">This digest was cancelled before it was finished, so there is nothing to read.</p>
      )}
      <div class="actions">
        <a class="button" href={hrefOf({ view: 'make' })}>
          Make another
        </a>
        <DeleteDigest id={digest.id} />
      </div>
    </article>
  );
}
