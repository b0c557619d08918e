import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startThreads, type ThreadedEngine } from '../../../src/digest/index.node.ts';
import { transformersEncoder } from '../../../src/models/index.node.ts';
import type { Encoder } from '../../../src/models/index.ts';
import { AGREEING, taskOf } from '../../digest/statement-task.ts';
import { specsOf } from './transport.ts';

const BUILT = new URL('../../../dist/thread.js', import.meta.url);
const SOURCE = new URL('../../../src/digest/threads/threads.node.ts', import.meta.url);

const TEXTS = ['The tram line opens in spring.', 'Slugs avoid copper.', '', 'Sales fell by 8 percent.'];

/** No thread fails outside of a task here. */
function reportError(failure: unknown): never {
  throw failure;
}

/** A folder of models that says what it holds, and lacks the weights. */
const models = mkdtempSync(join(tmpdir(), 'tessera-test-'));

let engine: ThreadedEngine;
let encoder: Encoder;
beforeAll(async () => {
  mkdirSync(join(models, 'hollow'));
  writeFileSync(join(models, 'hollow', 'config.json'), '{"model_type":"bert","hidden_size":4}');
  writeFileSync(join(models, 'hollow', 'tokenizer_config.json'), '{}');
  if (!existsSync(BUILT)) throw new Error('dist/thread.js is missing: run "npm run build" first.');
  engine = await startThreads({
    encoder: 'transformers',
    models,
    matrix: 'portable',
    reportError,
    specs: specsOf({
      hollow: { kind: 'transformers', model: 'hollow' },
    }),
    transport: { callMilliseconds: 1000, attempts: 1 },
  });
  const found = engine.encoders.get('transformers');
  if (found === undefined) throw new Error('no transformers');
  encoder = found;
});
afterAll(async () => {
  await engine.close();
  rmSync(models, { recursive: true });
});

test('the same vectors as in this thread, also of several calls at once', async () => {
  const expected = await (await transformersEncoder()).encode(TEXTS);
  expect(await encoder.encode(TEXTS)).toEqual(expected);
  const calls = Array.from({ length: 8 }, (_, k) => TEXTS.slice(k % 4));
  const found = await Promise.all(calls.map((texts) => encoder.encode(texts)));
  expect(found).toEqual(calls.map((texts) => expected.slice(TEXTS.length - texts.length)));
});

test('an error rejects only its own call', async () => {
  const bad = undefined as unknown as string;
  const settled = await Promise.allSettled([
    encoder.encode(TEXTS),
    engine.extract(bad),
    engine.extract('The tram line opens in spring. Forty drivers are needed before that.'),
    engine.encoders.get('hollow')?.encode(TEXTS),
    encoder.encode(TEXTS),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await encoder.encode(TEXTS)).toEqual(await encoder.encode(TEXTS));
});

/** What a process says that starts an engine and runs the lines with it; one that does not end by itself is killed, which rejects. */
async function said(lines: string): Promise<string> {
  const script = `
    import { startThreads } from ${JSON.stringify(SOURCE.href)};
    const engine = await startThreads({ encoder: 'transformers', models: undefined, matrix: 'portable', reportError: console.error, specs: { openai: new Map(), transformers: new Map(), workersAi: new Map(), rerank: new Map() }, transport: {} });
    ${lines}
  `;
  const file = join(models, 'said.mjs');
  writeFileSync(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    timeout: 45_000,
  });
  return stdout;
}

test('close waits for the threads at work, and takes on nothing more', { timeout: 60_000 }, async () => {
  const stdout = await said(`
    await engine.warmUp();
    const { encode } = engine.encoders.get('transformers');
    const ends = (texts, of) => encode(Array(texts).fill('The tram line opens in spring. '.repeat(8))).then(() => of, ({ name }) => name);
    const calls = [ends(8, 'short'), ends(160, 'long')];
    const closing = engine.close();
    calls.push(ends(1, 'late'));
    console.log(...(await Promise.all(calls)));
    await closing;
  `);
  expect(stdout).toBe('short long AbortError\n');
});

test('a tenant who selects much among held statements lets another go first', async () => {
  const { items, settings } = taskOf(12);
  const read: string[] = [];
  const select = (tenant: string, call: number) =>
    engine.forCaller?.(tenant).selectCached?.({ key: `${tenant} ${call}`, settings, options: AGREEING }, async () => {
      read.push(tenant);
      return items;
    });
  await Promise.all([...Array(40).fill('many'), 'one'].map(select));
  expect(read.indexOf('one')).toBeLessThan(20);
});
