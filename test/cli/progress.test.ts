import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countingLine, progressLine } from '../../src/cli/progress.ts';
import { STAGES } from '../../src/contract/index.ts';

/** A progress line over a clock that is set by hand, and all that it has written. */
function lineOn(isTTY: boolean) {
  const written: string[] = [];
  const clock = { seconds: 0 };
  const stream = {
    isTTY,
    write(text: string | Uint8Array) {
      written.push(String(text));
      return true;
    },
  };
  return { written, clock, line: progressLine(stream, () => clock.seconds * 1000) };
}

/** What a terminal shows of it: what comes after the last return, up to where the line is cleared. */
const shown = (written: readonly string[]) => written.join('').split('\r').at(-1)?.replace('\u001b[K', '');

test('the pace of a stage tells how long its rest takes, once it is known', () => {
  const { written, clock, line } = lineOn(true);
  const at = (seconds: number, done: number, total: number, stage: (typeof STAGES)[number] = 'encode') => {
    clock.seconds = seconds;
    line.notify({ stage, done, total });
    return shown(written);
  };
  expect(at(5, 1, 3, 'extract')).toBe('extracting 1/3');
  expect(at(6, 3, 3, 'extract')).toBe('encoding');
  expect(at(10, 10, 100)).toBe('encoding 10/100');
  expect(at(11, 20, 100)).toBe('encoding 20/100');
  expect(at(14, 50, 100)).toBe('encoding 50/100, about 5 s left');
  expect(at(17, 50, 1000)).toBe('encoding 50/1000, about 3 min left');
  expect(at(18, 1000, 1000)).toBe('ranking');
  expect(at(19, 1, 1, 'rank')).toBe('selecting');
  expect(at(19, 1, 1, 'select')).toBe('writing');
  expect(at(20, 1, 1, 'write')).toBe('');
});

const steps = fc.array(
  fc.record({
    stage: fc.constantFrom(...STAGES),
    done: fc.nat({ max: 50 }),
    total: fc.nat({ max: 50 }),
    seconds: fc.nat({ max: 100 }),
  }),
);

test('a terminal sees one line that is gone at the end; a pipe sees nothing', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (all, isTTY) => {
      const { written, clock, line } = lineOn(isTTY);
      for (const { seconds, ...progress } of all) {
        clock.seconds += seconds;
        line.notify(progress);
      }
      line.end();
      expect(written.join('')).not.toContain('\n');
      expect(written.join('')).not.toMatch(/NaN|Infinity/);
      if (!isTTY) expect(written).toEqual([]);
      else expect(shown(written)).toBe('');
      for (const text of written) expect(text.replace('\u001b[K', '')).toMatch(/^\r[\w ,/]{0,60}$/);
    }),
  );
});

test('a count: one line that changes on a terminal, about ten lines elsewhere', () => {
  const written = (isTTY: boolean) => {
    const pieces: string[] = [];
    const line = countingLine({ isTTY, write: (piece: string) => pieces.push(piece) > 0 }, 'scoring');
    for (let done = 0; done <= 200; done++) line.notify(done, 200, done > 150 ? '1 failed' : '');
    line.end();
    line.end();
    return pieces;
  };
  const terminal = written(true);
  expect(terminal).toHaveLength(202);
  expect(terminal.slice(0, -1).every((piece) => piece.startsWith('\r') && !piece.includes('\n'))).toBe(true);
  expect(terminal.at(-1)).toBe('\n');
  const plain = written(false);
  expect(plain).toHaveLength(11);
  expect([plain[0], plain.at(-1)]).toEqual(['scoring 0/200\n', 'scoring 200/200, 1 failed\n']);
});
