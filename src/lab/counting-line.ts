/** Where progress is told. */
export type ProgressStream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

/** How many steps a run without a terminal tells of. */
const LINES = 10;

/**
 * Tells how far something is: on a terminal in one line that changes, elsewhere in about ten lines.
 *
 * @returns to be called with what is done, and at the end
 */
export function countingLine(
  stream: ProgressStream,
  doing: string,
): { notify(done: number, total: number, note: string): void; end(): void } {
  let told = -1;
  let isOpen = false;
  return {
    notify(done, total, note) {
      const line = `${doing} ${done}/${total}${note === '' ? '' : `, ${note}`}`;
      if (stream.isTTY) {
        stream.write(`\r${line}\u001b[K`);
        isOpen = true;
        return;
      }
      const step = total === 0 ? LINES : Math.floor((LINES * done) / total);
      if (step === told) return;
      told = step;
      stream.write(`${line}\n`);
    },
    end() {
      if (isOpen) stream.write('\n');
      isOpen = false;
    },
  };
}
