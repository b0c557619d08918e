import type { Experiment } from '../experiments/experiment.ts';

/** A version without what it tries. */
type Period = Pick<Experiment, 'version' | 'state' | 'startedAt' | 'stoppedAt'>;

/** An experiment as it is answered: with times as they are written. */
export function experimentView({ state, createdAt, startedAt, stoppedAt, ...definition }: Experiment) {
  const { key, hypothesis, version, ...rest } = definition;
  return {
    key,
    hypothesis,
    version,
    status: state,
    ...rest,
    createdAt: timeView(createdAt),
    startedAt: timeOrNull(startedAt),
    stoppedAt: timeOrNull(stoppedAt),
  };
}

export function versionView({ version, state, startedAt, stoppedAt }: Period) {
  return { version, status: state, startedAt: timeOrNull(startedAt), stoppedAt: timeOrNull(stoppedAt) };
}

function timeView(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function timeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timeView(milliseconds);
}
