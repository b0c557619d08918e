import type { Progress } from '../../client/client.ts';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import type { Run } from './use-run.ts';

const STAGES: Readonly<Record<Progress['stage'], string>> = {
  extract: 'Reading the documents',
  encode: 'Working out what sentences mean',
  rank: 'Finding what bears on the intent',
  select: 'Choosing points',
  write: 'Writing',
};

/** How far one side has come. */
export function RunStatus({ run, again }: { readonly run: Run; readonly again: () => void }) {
  if (run.state === 'idle') return null;
  if (run.state === 'failed') return <Problem failure={run.failure} again={again} />;
  if (run.state === 'cancelled') return <p class="notice">Cancelled. Nothing was made on this side.</p>;
  if (run.state === 'done') {
    return (
      <p class="cmp-run">
        <span aria-hidden="true">✓</span> Made.{' '}
        <a href={hrefOf({ view: 'digest', id: run.id, face: 'read' })}>Read it</a>
      </p>
    );
  }
  const { progress } = run;
  return (
    <div class="cmp-run">
      <p role="status">{progress === null ? 'Waiting for the service' : STAGES[progress.stage]}…</p>
      <progress
        aria-label="How far this stage has come"
        {...(progress !== null && progress.total > 0 && { max: progress.total, value: progress.done })}
      />
      {progress !== null && progress.total > 1 && (
        <p class="muted">
          {progress.done} of {progress.total}
        </p>
      )}
    </div>
  );
}
