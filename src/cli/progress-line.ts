import { type Progress, STAGES, type Stage } from '../contract/index.ts';

const DOING: Readonly<Record<Stage, string>> = {
  extract: 'extracting',
  encode: 'encoding',
  rank: 'ranking',
  select: 'selecting',
  write: 'writing',
};
/** Seconds of a stage after which its pace tells how long the rest takes. */
const TELLING = 2;

/**
 * Tells on a terminal how far a digest is and how long its stage will take, in one line that changes and is gone at the end. In a
 * pipe it writes nothing.
 *
 * @param now milliseconds of any clock that does not go back
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
      // A stage that is done is no news: the next may take its time before it tells anything.
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
