import { type Progress, STAGES, type Stage } from '../contract/index.ts';

const DOING: Readonly<Record<Stage, string>> = {
  extract: 'extracting',
  encode: 'encoding',
  rank: 'ranking',
  select: 'selecting',
  write: 'writing',
};
const TELLING = 2;

/**
 * Shows progress and remaining time in one line of a terminal, cleared at the end. Writes nothing to a pipe.
 * @param now monotonic clock in milliseconds
 */
export function progressLine(
  stream: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean },
  now = () => performance.now(),
): { notify(progress: Progress): void; end(): void } {
  let current: Stage | null = null;
  let began = 0;
  let first = 0;
  let isOpen = false;
  const show = (line: string) => {
    if (!stream.isTTY) return;
    stream.write(`\r${line}\u001b[K`);
    isOpen = line !== '';
  };
  return {
    notify({ stage, done, total }) {
      if (stage !== current) [current, began, first] = [stage, now(), done];
      // The next stage may take a while before its first report.
      const next = STAGES[STAGES.indexOf(stage) + 1];
      if (done >= total) return show(next === undefined ? '' : DOING[next]);
      const seconds = (now() - began) / 1000;
      const isKnown = seconds >= TELLING && done > first;
      const left = isKnown ? `, about ${inWords((seconds / (done - first)) * (total - done))} left` : '';
      show(`${DOING[stage]} ${done}/${total}${left}`);
    },
    end() {
      if (isOpen) show('');
    },
  };
}

function inWords(seconds: number): string {
  return seconds < 60 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.ceil(seconds / 60)} min`;
}
