import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkBundle, MAX_BYTES } from '../../scripts/check-bundle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Import = { readonly path: string; readonly external?: boolean; readonly kind?: string };

const CODE = 'export default { fetch: () => new Response("fine") };';

/** A folder as wrangler leaves it. */
function bundle({
  imports = [],
  inputs = [],
  files = {},
}: {
  readonly imports?: readonly Import[];
  readonly inputs?: readonly string[];
  readonly files?: Readonly<Record<string, string | Buffer>>;
} = {}): string {
  const folder = temporaryFolder();
  const all = { 'worker.js': CODE, 'worker.js.map': '{}'.repeat(1000), 'README.md': 'What this is.', ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), content);
  const metafile = {
    inputs: Object.fromEntries(['src/worker.ts', ...inputs].map((path) => [path, { bytes: 1, imports: [] }])),
    outputs: { 'worker.js': { bytes: CODE.length, inputs: {}, exports: ['default'], imports } },
  };
  writeFileSync(join(folder, 'bundle-meta.json'), JSON.stringify(metafile));
  return folder;
}

test('what a Worker has is fine: its own module, and texts beside it', () => {
  const text = '# A prompt';
  const folder = bundle({
    imports: [
      { path: 'cloudflare:workers', external: true },
      { path: './0af3-write.md', external: true },
      { path: 'chunk.js', kind: 'import-statement' },
    ],
    inputs: ['node_modules/hono/dist/index.js', 'node_modules/drizzle-orm/d1/driver.js', 'prompts/write.md'],
    files: { '0af3-write.md': text },
  });
  expect(checkBundle(folder)).toEqual({
    bytes: CODE.length + text.length,
    gzipped: gzipSync(CODE).length + gzipSync(text).length,
    imports: ['cloudflare:workers'],
    problems: [],
  });
});

test('modules of Node are named, however they are imported, each once', () => {
  const folder = bundle({
    imports: [
      { path: 'node:fs', external: true, kind: 'import-statement' },
      { path: 'node:fs', external: true, kind: 'dynamic-import' },
      { path: 'crypto', external: true, kind: 'require-call' },
      { path: 'cloudflare:workers', external: true },
    ],
  });
  expect(checkBundle(folder)).toMatchObject({
    imports: ['cloudflare:workers', 'crypto', 'node:fs'],
    problems: ['it imports "crypto"', 'it imports "node:fs"'],
  });
});

test.each([
  'node_modules/better-sqlite3/lib/index.js',
  'node_modules/onnxruntime-node/dist/index.js',
  'node_modules/sharp/lib/index.js',
  'node_modules/piscina/dist/main.js',
  'node_modules/@xenova/transformers/src/transformers.js',
  'node_modules/@xenova/transformers/dist/index.js',
  '../shared/node_modules/better-sqlite3/lib/index.js',
  'src/addon.node',
])('%s is native', (path) => {
  expect(checkBundle(bundle({ inputs: [path] })).problems).toEqual([`it holds ${path}, which is native`]);
});

test('a name that only looks like a native package is not one', () => {
  const inputs = [
    'node_modules/sharpener/index.js',
    'src/store/better-sqlite3.ts',
    'src/server/runtime/node/work.node.ts',
  ];
  expect(checkBundle(bundle({ inputs })).problems).toEqual([]);
});

test('all that is uploaded counts, compressed', () => {
  const most = { 'a.wasm': randomBytes(MAX_BYTES - 10_000) };
  expect(checkBundle(bundle({ files: most })).problems).toEqual([]);
  expect(checkBundle(bundle({ files: { ...most, 'easy.js': ' '.repeat(5_000_000) } })).problems).toEqual([]);
  const over = checkBundle(bundle({ files: { ...most, 'b.js': randomBytes(10_000) } }));
  expect(over.gzipped).toBeGreaterThan(MAX_BYTES);
  expect(over.problems).toEqual([`${over.gzipped} bytes gzipped are more than ${MAX_BYTES}`]);
});

test('where wrangler left no list of what it built from there is no verdict', () => {
  const folder = bundle();
  writeFileSync(join(folder, 'bundle-meta.json'), '{"outputs":{}}');
  expect(() => checkBundle(folder)).toThrow(/inputs/);
});
