import { useCallback, useEffect, useState } from 'preact/hooks';
import type { DigestEntry } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { Loading, useTask } from '../parts/loading.tsx';
import { usePages } from '../parts/pages.ts';
import { LoadProblem, Problem } from '../parts/problem.tsx';
import { count, moment, shortened } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { deleteDigest } from './actions.tsx';
import { NO_QUESTION } from './intent.tsx';
import { STATUSES, Status } from './read-view.tsx';
import './reading.css';
import './digests.css';

type DigestStatus = DigestEntry['status'];

/** Digests per page, and matches after which no further page is loaded. */
const LIMIT = 30;
const ENOUGH = 10;

export function DigestsView() {
  const { client } = useService();
  const [status, setStatus] = useState<DigestStatus | undefined>(undefined);
  const [sought, seek] = useState('');
  const deleting = useTask();
  const { items, next, isLoading, failure, more, remove } = usePages(
    useCallback((page) => client.digests.list({ limit: LIMIT, status, ...page }), [client, status]),
  );
  const found = items.filter((entry) => matches(entry, sought));
  const hasMore = typeof next === 'string' && !isLoading && failure === null;
  const seeksOn = hasMore && sought.trim() !== '' && found.length < ENOUGH;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is not enough leads to the next
  useEffect(() => {
    if (seeksOn) more();
  }, [seeksOn, next]);
  const isEmpty = next === null && found.length === 0;
  const isAll = status === undefined && sought.trim() === '';
  return (
    <div class="digests">
      <h1>Digests</h1>
      {!(isEmpty && isAll) && (
        <div class="digests-filter">
          <TextField label="Search" type="search" placeholder="Question or document" value={sought} onChange={seek} />
          <Select
            label="Status"
            value={status}
            choices={[['', 'All'], ...Object.entries(STATUSES).map(([name, { word }]) => [name, word] as const)]}
            // The choices are the statuses.
            onChoose={(chosen) => setStatus(chosen as DigestStatus | undefined)}
          />
        </div>
      )}
      {found.length > 0 && (
        <ul class="digests-list" aria-label="Digests">
          {found.map((entry) => (
            <DigestRow
              key={entry.id}
              entry={entry}
              onDelete={() => void deleting.run(async () => (await deleteDigest(client, entry.id)) && remove(entry))}
            />
          ))}
        </ul>
      )}
      {isEmpty && isAll && (
        <div class="empty">
          <p>There are no digests yet. Ask your documents a question, and the answer is kept here.</p>
          <a class="button" href={hrefOf({ view: 'make' })}>
            Ask a question
          </a>
        </div>
      )}
      {isEmpty && !isAll && <p class="empty">No digest matches.</p>}
      {isLoading && <Loading what="digests" />}
      {failure !== null && <LoadProblem failure={failure} again={more} />}
      {deleting.failure !== null && <Problem failure={deleting.failure} />}
      {hasMore && !seeksOn && (
        <button type="button" onClick={more}>
          Show more
        </button>
      )}
    </div>
  );
}

function matches({ intent, titles }: DigestEntry, sought: string): boolean {
  const text = [intent ?? '', ...titles].join(' ').toLowerCase();
  const words = sought.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

/** Max characters of a question, and max titles of a row. */
const MAX = { question: 200, titles: 3 };

interface DigestRowProps {
  readonly entry: DigestEntry;
  readonly onDelete: () => void;
}

function DigestRow({ entry: { id, status, intent, titles, documents, createdAt }, onDelete }: DigestRowProps) {
  const question = shortened(intent?.trim() || NO_QUESTION, MAX.question);
  return (
    <li class="digests-row">
      <div>
        <a class="digests-link" href={hrefOf({ view: 'digest', id, face: 'read' })} dir="auto">
          {question}
        </a>
        <p class="muted">
          <Status status={status} />
          {documents !== null && `${count(documents, 'document')}: `}
          <bdi>{titles.slice(0, MAX.titles).join(', ')}</bdi>
          {documents !== null && documents > MAX.titles && '…'}
        </p>
      </div>
      <time class="muted" dateTime={createdAt}>
        {moment(createdAt)}
      </time>
      <button type="button" class="plain" aria-label={`Delete: ${question}`} onClick={onDelete}>
        Delete
      </button>
    </li>
  );
}
