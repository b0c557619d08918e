import { useEffect, useState } from 'preact/hooks';
import type { DigestEntry } from '../../client/index.ts';
import { moment } from '../parts/dates.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { NO_QUESTION } from './intent.ts';
import { useDigestPages } from './use-digest-pages.ts';
import { count, STATUS_WORDS, shortened } from './words.ts';
import './read.css';
import './digests.css';

/** Characters of a question in the list, and titles. */
const MAX = { question: 200, titles: 3 };
/** Digests that are found before further pages are looked through. */
const ENOUGH = 10;

interface DigestRowProps {
  readonly entry: DigestEntry;
  readonly onDelete: () => void;
}

function DigestRow({ entry: { id, status, intent, titles, documents, createdAt }, onDelete }: DigestRowProps) {
  const { sign, word } = STATUS_WORDS[status];
  const question = shortened(intent?.trim() || NO_QUESTION, MAX.question);
  const named = titles.slice(0, MAX.titles).join(', ');
  return (
    <li class="digests-row">
      <div>
        <a class="digests-link" href={hrefOf({ view: 'digest', id, face: 'read' })} dir="auto">
          {question}
        </a>
        <p class="muted">
          {status !== 'completed' && (
            <span class={`read-status-${status}`}>
              <span aria-hidden="true">{sign}</span> {word} ·{' '}
            </span>
          )}
          {documents !== null && `${count(documents, 'document')}: `}
          <bdi>{named}</bdi>
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

// The keys of STATUS_WORDS are the statuses.
const STATUSES = Object.keys(STATUS_WORDS) as DigestEntry['status'][];

/** The digests that are stored, the newest first. */
export function DigestsView() {
  const { client } = useService();
  const [status, setStatus] = useState<DigestEntry['status'] | null>(null);
  const [sought, seek] = useState('');
  const [deleting, setDeleting] = useState<string | null>(null);
  const [{ entries, next, isLoading, failure }, more, forget] = useDigestPages(client, status);
  const found = entries.filter((entry) => matches(entry, sought));
  const hasMore = typeof next === 'string' && !isLoading && failure === null;
  const seeksOn = hasMore && sought.trim() !== '' && found.length < ENOUGH;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is not enough leads to the next
  useEffect(() => {
    if (seeksOn) more();
  }, [seeksOn, next]);
  const isEmpty = next === null && found.length === 0;
  const isAll = status === null && sought.trim() === '';
  return (
    <div class="digests">
      <h1>Digests</h1>
      {!(isEmpty && isAll) && (
        <div class="digests-filter">
          <label>
            Search
            <input
              type="search"
              placeholder="Question or document"
              value={sought}
              onInput={({ currentTarget }) => seek(currentTarget.value)}
            />
          </label>
          <label>
            Status
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
        </div>
      )}
      {found.length > 0 && (
        <ul class="digests-list" aria-label="Digests">
          {found.map((entry) => (
            <DigestRow key={entry.id} entry={entry} onDelete={() => setDeleting(entry.id)} />
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
      {failure !== null && <Problem failure={failure} again={more} />}
      {hasMore && !seeksOn && (
        <button type="button" onClick={more}>
          Show more
        </button>
      )}
      {deleting !== null && (
        <DeleteDialog
          id={deleting}
          onClose={(isDeleted) => {
            if (isDeleted) forget(deleting);
            setDeleting(null);
          }}
        />
      )}
    </div>
  );
}

/** Whether the question and the titles of a digest hold every word that is sought. */
function matches({ intent, titles }: DigestEntry, sought: string): boolean {
  const text = [intent ?? '', ...titles].join(' ').toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
