import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeLines, writeWhole } from '../../../src/cli/benchmark/set-file.node.ts';
import { UsageError } from '../../../src/cli/index.node.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('lines', () => {
  test('are written as they come, and replace what was there at the end', async () => {
    const path = join(temporaryFolder(), 'lines.jsonl');
    writeFileSync(path, 'before');
    const during: string[] = [];
    await writeLines(
      path,
      (function* () {
        for (const line of ['one', 'zwölf', '🦊']) {
          yield line;
          during.push(readFileSync(path, 'utf8'));
        }
      })(),
    );
    expect(during).toEqual(['before', 'before', 'before']);
    expect(readFileSync(path, 'utf8')).toBe('one\nzwölf\n🦊\n');
  });

  test('that fail to come leave everything as it was', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'lines.jsonl');
    writeFileSync(path, 'before');
    const failure = new Error('no more of them');
    const lines = (async function* () {
      yield 'one';
      throw failure;
    })();
    await expect(writeLines(path, lines)).rejects.toBe(failure);
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['lines.jsonl']);
  });
});

test('what cannot be put in its place is told, and leaves nothing behind', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'taken');
  mkdirSync(path);
  for (const write of [async () => writeWhole(path, 'all'), () => writeLines(path, ['one'])]) {
    await expect(write()).rejects.toThrow(new UsageError(`${path} cannot be written.`));
    expect(readdirSync(folder)).toEqual(['taken']);
  }
});
