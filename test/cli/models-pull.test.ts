import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { type HubFile, startHub } from '../support/hub.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NAME = 'Xenova/bge-small-en-v1.5';
const AT = `/${NAME}/resolve/main/`;
const MODEL = 'onnx/model_quantized.onnx';
const WEIGHTS = 'weights '.repeat(40_000);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const FILES: Readonly<Record<string, HubFile>> = {
  [`${AT}config.json`]: {
    body: '{"model_type":"bert"}',
    headers: { etag: '"d41d8cd98f00b204e9800998ecf8427e00000000"' },
  },
  [`${AT}tokenizer.json`]: { body: '{"version":"1.0"}' },
  [`${AT}tokenizer_config.json`]: { body: '{"do_lower_case":true}' },
  [AT + MODEL]: { body: WEIGHTS, headers: { 'x-linked-etag': `"${sha256(WEIGHTS)}"` } },
};
const NAMES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', MODEL];

/** Runs `models pull` into a folder named `models` over a hub with these files. */
async function pull(files: Readonly<Record<string, HubFile>>, cwd = temporaryFolder()) {
  const hub = await startHub(files);
  const outcome = await callCli(['models', 'pull', NAME, '--to', 'models'], cwd, { TESSERA_HUB: hub.url });
  return { ...outcome, hub, models: join(cwd, 'models'), model: join(cwd, 'models', NAME) };
}

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder, { recursive: true }) : []);

test('fetches the files into the layout that the service loads', async () => {
  const { code, stdout, stderr, hub, model, models } = await pull(FILES);
  expect(stderr.trim().split('\n')).toEqual([
    'config.json 21 bytes',
    'tokenizer.json 17 bytes',
    'tokenizer_config.json 22 bytes',
    `${MODEL} ${WEIGHTS.length} bytes`,
  ]);
  expect(code).toBe(0);
  expect(stdout).toBe(`${NAME} is in models: {"kind":"transformers","model":"${NAME}"} in TESSERA_ENCODERS.\n`);
  for (const name of NAMES) expect(readFileSync(join(model, name), 'utf8')).toBe(FILES[AT + name].body);
  expect(filesIn(models)).toHaveLength(NAMES.length + 3); // and the folders of owner, model and weights
  expect(hub.requests.sort()).toEqual(Object.keys(FILES).sort());
});

test('follows the redirect to where large files lie, and replaces an older model whole', async () => {
  const cwd = temporaryFolder();
  const old = join(cwd, 'models', NAME);
  mkdirSync(join(old, 'onnx'), { recursive: true });
  writeFileSync(join(old, MODEL), 'old weights');
  writeFileSync(join(old, 'left-over.json'), '{}');
  const { code, model } = await pull(
    {
      ...FILES,
      [AT + MODEL]: {
        body: '',
        status: 302,
        headers: { location: '/cdn/weights', 'x-linked-etag': `"${sha256(WEIGHTS)}"` },
      },
      '/cdn/weights': { body: WEIGHTS, headers: { etag: `"${sha256(WEIGHTS)}"` } },
    },
    cwd,
  );
  expect(code).toBe(0);
  expect(readFileSync(join(model, MODEL), 'utf8')).toBe(WEIGHTS);
  expect(existsSync(join(model, 'left-over.json'))).toBe(false);
});

test('in the precision that is asked for', async () => {
  const cwd = temporaryFolder();
  const { [AT + MODEL]: weights, ...small } = FILES;
  const hub = await startHub({ ...small, [`${AT}onnx/model_fp16.onnx`]: weights });
  const args = ['models', 'pull', NAME, '--dtype', 'fp16', '--to', 'models'];
  const { code, stderr } = await callCli(args, cwd, { TESSERA_HUB: hub.url });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'models', NAME, 'onnx', 'model_fp16.onnx'), 'utf8')).toBe(WEIGHTS);
});

test('TESSERA_MODELS says where to, a hub may be named with a slash', async () => {
  const cwd = temporaryFolder();
  const hub = await startHub(FILES);
  const settings = { TESSERA_HUB: `${hub.url}/`, TESSERA_MODELS: join(cwd, 'a', 'b') };
  const { code, stderr } = await callCli(['models', 'pull', NAME], cwd, settings);
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'a', 'b', NAME, MODEL), 'utf8')).toBe(WEIGHTS);
});

describe('when not all of it comes, nothing is left behind and the old model stays', () => {
  const { [AT + MODEL]: weights, ...small } = FILES;
  const { body } = weights;

  test.each<[string, Readonly<Record<string, HubFile>>, RegExp]>([
    ['404', small, /model_quantized\.onnx answered 404\.$/],
    ['503', { ...FILES, [`${AT}config.json`]: { body: 'busy', status: 503 } }, /config\.json answered 503\.$/],
    [
      'damaged, by the hash that the hub links',
      { ...FILES, [AT + MODEL]: { body: `x${body.slice(1)}`, headers: weights.headers ?? {} } },
      /model_quantized\.onnx came damaged\.$/,
    ],
    [
      'damaged, by the hash in the etag',
      { ...FILES, [AT + MODEL]: { body: 'other', headers: { etag: `"${sha256(body)}"` } } },
      /model_quantized\.onnx came damaged\.$/,
    ],
    [
      'a connection that breaks in the middle',
      { ...FILES, [AT + MODEL]: { ...weights, breakAfter: 100_000 } },
      /model_quantized\.onnx broke off after \d+ bytes\.$/,
    ],
    [
      'a connection that breaks at once',
      { ...FILES, [`${AT}config.json`]: { body, breakAfter: 1 } },
      /config\.json broke off/,
    ],
  ])('%s', async (_, files, message) => {
    const fresh = await pull(files);
    expect([fresh.code, fresh.stdout]).toEqual([1, '']);
    expect(fresh.stderr.trim().split('\n').at(-1)).toMatch(message);
    expect(fresh.stderr).not.toContain('    at ');
    expect(filesIn(fresh.models)).toEqual([]);

    const cwd = temporaryFolder();
    const old = join(cwd, 'models', NAME);
    mkdirSync(join(old, 'onnx'), { recursive: true });
    writeFileSync(join(old, MODEL), 'old weights');
    const again = await pull(files, cwd);
    expect(again.code).toBe(1);
    expect(filesIn(again.models).sort()).toEqual(['Xenova', NAME, `${NAME}/onnx`, `${NAME}/${MODEL}`].sort());
    expect(readFileSync(join(old, MODEL), 'utf8')).toBe('old weights');
  });

  test('a hub that is not there', async () => {
    const cwd = temporaryFolder();
    const { code, stderr } = await callCli(['models', 'pull', NAME, '--to', 'models'], cwd, {
      TESSERA_HUB: 'http://127.0.0.1:1',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:1\/\S+ cannot be reached\.\n$/);
    expect(filesIn(join(cwd, 'models'))).toEqual([]);
  });
});
