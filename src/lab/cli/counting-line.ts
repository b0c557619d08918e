/** How many steps a run without a terminal tells of. */
const LINES = 10;

/**
 * Tells how far something is: on a terminal in one line that changes, elsewhere in about ten lines.
 *
 * @returns to be called with what is done, and at the end
 */
export function countingLine(
  stream: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean },
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

/** What a counting line adds of outcomes: how many were known from before, and how many failed. */
export function outcomeNote({ known, failed }: { readonly known: number; readonly failed: number }): string {
  const notes = [known > 0 && `${known} known from before`, failed > 0 && `${failed} failed`];
  return notes.filter((note) => note !== false).join(', ');
}
