import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadPrompts } from '../../../../src/models/index.node.ts';
import { bundledPrompts } from '../../../../src/server/runtime/worker/service.worker.ts';

const FOLDER = fileURLToPath(new URL('../../../../prompts', import.meta.url));
/** Benchmarks are made on the command line alone. */
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !name.startsWith('benchmark-'));

test('what is built into the Worker is what the folder holds, by the same ids and hashes', () => {
  const expected = new Map([...loadPrompts()].filter(([, { stage }]) => stage !== 'benchmark'));
  expect(expected.size).toBe(files.length);
  const byId = [...bundledPrompts()].toSorted(([one], [two]) => (one < two ? -1 : 1));
  expect(byId).toEqual([...expected].toSorted(([one], [two]) => (one < two ? -1 : 1)));
  expect(bundledPrompts()).toBe(bundledPrompts());
});
