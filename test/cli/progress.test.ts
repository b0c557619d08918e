import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countingLine, progressLine } from '../../src/cli/progress.ts';
import { STAGES } from '../../src/contract/index.ts';

/** A progress line, and all that it has written. */
function lineOn(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  return { written, line: progressLine({ isTTY, write }) };
}

/** What a terminal shows of it: what comes after the last return, up to where the line is cleared. */
const shown = (written: readonly string[]) => written.join('').split('\r').at(-1)?.replace('\u001b[K', '');

test('the stage and its count; the next stage once one is done', () => {
  const { written, line } = lineOn(true);
  const at = (stage: (typeof STAGES)[number], done: number, total: number) => {
    line.notify({ stage, done, total });
    return shown(written);
  };
  expect(at('extract', 1, 3)).toBe('extracting 1/3');
  expect(at('extract', 3, 3)).toBe('encoding');
  expect(at('encode', 10, 100)).toBe('encoding 10/100');
  expect(at('encode', 100, 100)).toBe('ranking');
  expect(at('rank', 1, 1)).toBe('selecting');
  expect(at('select', 1, 1)).toBe('writing');
  expect(at('write', 1, 1)).toBe('');
});

const steps = fc.array(
  fc.record({ stage: fc.constantFrom(...STAGES), done: fc.nat({ max: 50 }), total: fc.nat({ max: 50 }) }),
);

test('a terminal sees one line that is gone at the end; a pipe sees nothing', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (all, isTTY) => {
      const { written, line } = lineOn(isTTY);
      for (const progress of all) line.notify(progress);
      line.end();
      expect(written.join('')).not.toContain('\n');
      if (!isTTY) expect(written).toEqual([]);
      else expect(shown(written)).toBe('');
      for (const text of written) expect(text.replace('\u001b[K', '')).toMatch(/^\r[\w /]{0,60}$/);
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
