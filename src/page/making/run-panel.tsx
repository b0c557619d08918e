import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { citationMarkers } from '../../text/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { nameOf } from './document-facts.ts';
import { LongList } from './long-list.tsx';
import { elapsedWords, type RunProgress, STAGES, stageNow, stateOf } from './run-progress.ts';

interface RunPanelProps {
  readonly documents: readonly SourceDocument[];
  readonly progress: RunProgress;
  readonly startedAt: number;
  /** Whether the connection broke, and is tried again. */
  readonly isBroken: boolean;
  readonly isCancelling: boolean;
  readonly onCancel: () => void;
}

const MARKS = { done: '✓', now: '…', waiting: '·' } as const;
const SAID = { done: 'done', now: 'under way', waiting: 'still to come' } as const;

/** A digest while it is made: its stages, its documents, and its sentences as they come. */
export function RunPanel({ documents, progress, startedAt, isBroken, isCancelling, onCancel }: RunPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const announce = useAnnounce();
  const { id, sentences, read, last } = progress;
  const stage = stageNow(progress);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const now = STAGES.find((each) => each.stage === stage);
    if (now !== undefined) announce(`${now.line}.`);
  }, [stage, announce]);
  const named = documents.find(({ id }) => id === last);
  const row = (document: SourceDocument): ComponentChild => (
    <p class={`making-read ${read.has(document.id) ? 'making-read-done' : ''}`}>
      <span aria-hidden="true">{read.has(document.id) ? MARKS.done : MARKS.waiting}</span> {nameOf(document)}
      <span class="unseen">, {read.has(document.id) ? 'read' : 'not read yet'}</span>
    </p>
  );
  return (
    <div class="making-run">
      <div class="making-run-head">
        <h1 ref={heading} tabIndex={-1}>
          Making the digest
        </h1>
        <Elapsed since={startedAt} />
        <button type="button" disabled={isCancelling} onClick={onCancel}>
          {isCancelling ? 'Cancelling…' : 'Cancel'}
        </button>
      </div>
      {isBroken && (
        <p class="notice" role="status">
          The connection broke; trying again…
        </p>
      )}
      {stage === null && (
        <p>{id === null ? 'Sending the documents…' : 'Taken by the service; waiting for its turn…'}</p>
      )}
      <p class="muted">You may leave this page: the digest goes on, and is in the list of digests when it is done.</p>
      <ol class="making-stages" aria-label="Stages">
        {STAGES.map((each) => {
          const state = stateOf(progress, each.stage);
          const count = progress.counts[each.stage];
          return (
            <li
              key={each.stage}
              class={`making-stage making-stage-${state}`}
              aria-current={state === 'now' ? 'step' : undefined}
            >
              <span class="making-mark" aria-hidden="true">
                {state === 'now' ? <span class="spinner" /> : MARKS[state]}
              </span>
              <span>
                <strong>{each.title}</strong> <span class="unseen">({SAID[state]})</span>
                <br />
                <span class="muted">
                  {each.line}
                  {count !== undefined &&
                    count.total > 1 &&
                    `: ${count.done.toLocaleString('en')} of ${count.total.toLocaleString('en')}`}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
      <div class="making-run-parts">
        <section class="panel" aria-labelledby="making-run-text">
          <h2 id="making-run-text">Text so far</h2>
          {sentences.length === 0 ? (
            <p class="muted">The first sentence comes when the points are chosen.</p>
          ) : (
            <ol class="making-sentences" aria-label="Sentences so far">
              {sentences.map(({ index, text, sources }) => (
                <li key={index}>
                  {text} <span class="muted">{citationMarkers(sources)}</span>
                </li>
              ))}
            </ol>
          )}
        </section>
        <section class="panel" aria-labelledby="making-run-documents">
          <h2 id="making-run-documents">
            Documents{' '}
            <span class="muted">
              {read.size} of {documents.length} read
            </span>
          </h2>
          {named !== undefined && stage === 'extract' && <p class="muted">Just read: {nameOf(named)}</p>}
          <LongList
            label="Documents of this digest"
            items={documents}
            keyOf={({ id }) => id}
            render={row}
            estimate={30}
            show={last === null ? undefined : documents.findIndex(({ id }) => id === last)}
          />
        </section>
      </div>
    </div>
  );
}

function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const beat = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(beat);
  }, []);
  return (
    <span class="muted" role="timer" aria-live="off">
      {elapsedWords(Math.max(0, now - since))}
    </span>
  );
}
