import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { loadPrompts } from '../../src/models/language/load-prompts.node.ts';

const FOLDER = fileURLToPath(new URL('../../prompts', import.meta.url));
/** Benchmarks are made on the command line alone. */
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !name.startsWith('benchmark-'));

test('what is built into the Worker is what the folder holds, by the same ids and hashes', async () => {
  // In the place of wrangler, which makes a module of each text; one that is not in the folder cannot be imported.
  for (const name of files)
    vi.doMock(join(FOLDER, name), () => ({ default: readFileSync(join(FOLDER, name), 'utf8') }));
  const { bundledPrompts } = await import('../../src/server/runtime/worker/prompts.worker.ts');
  const expected = new Map([...loadPrompts()].filter(([, { stage }]) => stage !== 'benchmark'));
  expect(expected.size).toBe(files.length);
  const byId = [...bundledPrompts()].toSorted(([one], [two]) => (one < two ? -1 : 1));
  expect(byId).toEqual([...expected].toSorted(([one], [two]) => (one < two ? -1 : 1)));
  expect(bundledPrompts()).toBe(bundledPrompts());
});
