import { countingLine, type ProgressStream, type Run, type RunProgress, tookLine } from '../lab/index.ts';

/** Runs something, shows its progress, and says what it took unless it was stopped. */
export async function withProgress<Ran extends Pick<Run<unknown, unknown>, 'isStopped' | 'spent'>>(
  doing: string,
  stderr: ProgressStream,
  run: (onProgress: (progress: RunProgress) => void) => Promise<Ran>,
): Promise<Ran> {
  const line = countingLine(stderr, doing);
  const began = performance.now();
  const ran = await run(({ done, total, known, failed }) => {
    const notes = [known > 0 && `${known} known from before`, failed > 0 && `${failed} failed`];
    line.notify(done, total, notes.filter((note) => note !== false).join(', '));
  });
  line.end();
  if (!ran.isStopped) stderr.write(tookLine(performance.now() - began, ran.spent));
  return ran;
}
