import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { ASSET_HEADERS, PAGE_HEADERS, REFERENCE_HEADERS } from '../src/server/index.ts';
import { licencesOf } from './licences-of.ts';

/** Where the page goes; Node serves it from here, and the Worker's platform too. */
const FOLDER = 'dist/page';
const ASSETS = join(FOLDER, 'assets');
/** Bytes, gzipped, that are loaded before a document is parsed. */
const MAX_BYTES = 150_000;
const MAIN = 'src/page/main.tsx';
/** What runs beside the page, by the name that `src/page/parts/browser.ts` starts it by. */
const THREADS = { file: 'src/page/making/file-thread.ts' };
/** The page that `tessera benchmark annotate` serves: a site of its own, of which the service gives nothing. */
const ANNOTATE = 'annotate';
const ANNOTATE_FOLDER = join(FOLDER, ANNOTATE);
const ANNOTATE_MAIN = 'src/page/annotate/main.tsx';
/** The API reference, at `/docs`: nothing of it is loaded elsewhere. */
const REFERENCE_MAIN = 'src/page/reference/reference.ts';

const SHARED = {
  outdir: ASSETS,
  bundle: true,
  format: 'esm',
  target: ['es2023'],
  minify: true,
  metafile: true,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none', // the licences lie beside what is bundled, whole
  loader: { '.txt': 'text' },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Bundles the pages of `src/page/`: scripts and styles whose names tell their content, in parts that are loaded when they are
 * needed, and `index.html` with what comes first.
 *
 *     npm run build:page
 */
rmSync(FOLDER, { recursive: true, force: true });
for (const folder of [FOLDER, ANNOTATE_FOLDER]) mkdirSync(join(folder, 'assets'), { recursive: true });
const threads = await build({ ...SHARED, entryPoints: Object.values(THREADS), splitting: true });
const addresses = Object.entries(THREADS).map(([name, path]) => [name, addressOf(entryOf(threads.metafile, path))]);
const page = await build({
  ...SHARED,
  entryPoints: [MAIN],
  splitting: true,
  define: { THREADS: JSON.stringify(Object.fromEntries(addresses)) },
});
const annotate = await build({ ...SHARED, outdir: join(ANNOTATE_FOLDER, 'assets'), entryPoints: [ANNOTATE_MAIN] });
const reference = await build({ ...SHARED, entryPoints: [REFERENCE_MAIN] });

const bytes = writePage(join(FOLDER, 'index.html'), {
  template: 'src/page/index.html',
  metafile: page.metafile,
  entryPoint: MAIN,
  beside: [threads.metafile],
});
writePage(join(ANNOTATE_FOLDER, 'index.html'), {
  template: 'src/page/annotate/index.html',
  metafile: annotate.metafile,
  entryPoint: ANNOTATE_MAIN,
});
writePage(join(FOLDER, 'docs.html'), {
  template: 'src/page/reference/index.html',
  metafile: reference.metafile,
  entryPoint: REFERENCE_MAIN,
});
for (const folder of [ASSETS, join(ANNOTATE_FOLDER, 'assets')]) compressFiles(folder);
const headers = { '/': PAGE_HEADERS, '/docs': REFERENCE_HEADERS, '/assets/*': ASSET_HEADERS };
writeFileSync(
  join(FOLDER, '_headers'),
  Object.entries(headers)
    .map(([path, values]) => `${path}\n${lines(values)}`)
    .join(''),
);
// The platform of Workers compresses by itself.
writeFileSync(join(FOLDER, '.assetsignore'), `*.gz\n*.br\n${ANNOTATE}\n`);

process.stdout.write(`The page: ${Math.round(bytes / 1000)} kB gzipped of at most ${MAX_BYTES / 1000} kB.\n`);
if (bytes > MAX_BYTES) {
  process.stderr.write('The page is too large.\n');
  process.exitCode = 1;
}

interface WrittenPage {
  /** The document, with a mark where its head goes on. */
  readonly template: string;
  readonly metafile: Metafile;
  readonly entryPoint: string;
  /** Of what else the page loads: its licences are named too. */
  readonly beside?: readonly Metafile[];
}

/**
 * Writes the document of a page, and the licences of what it loads.
 *
 * @returns bytes, gzipped, of what comes first
 */
function writePage(path: string, { template, metafile, entryPoint, beside = [] }: WrittenPage): number {
  const licences = licencesOf([...beside, metafile]);
  const licencesFile = `licences-${createHash('sha256').update(licences).digest('hex').slice(0, 8)}.txt`;
  writeFileSync(join(dirname(path), 'assets', licencesFile), licences);
  const first = loadedFirst(metafile, entryOf(metafile, entryPoint));
  const html = readFileSync(template, 'utf8').replace(
    '<!-- head -->',
    [`<link rel="license" href="/assets/${licencesFile}">`, ...first.map(tagOf)].join('\n'),
  );
  writeFileSync(path, html);
  return first.reduce((sum, each) => sum + gzipSync(readFileSync(each)).length, gzipSync(html).length);
}

/** Lays compressed files beside those of a folder. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content));
    writeFileSync(
      join(folder, `${name}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
  }
}

/** What an entry point was written to. */
function entryOf({ outputs }: Metafile, entryPoint: string): string {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (found === undefined) throw new Error(`${entryPoint} was not built`);
  return found;
}

/** An output, its style, and what it imports before it runs. */
function loadedFirst({ outputs }: Metafile, entry: string): string[] {
  const found = new Set<string>([entry]);
  for (const path of found) {
    const { imports = [], cssBundle } = outputs[path] ?? {};
    if (cssBundle !== undefined) found.add(cssBundle);
    for (const each of imports) if (each.kind === 'import-statement') found.add(each.path);
  }
  return [...found];
}

function tagOf(path: string, index: number): string {
  const address = addressOf(path);
  if (path.endsWith('.css')) return `<link rel="stylesheet" href="${address}">`;
  return index === 0
    ? `<script type="module" src="${address}"></script>`
    : `<link rel="modulepreload" href="${address}">`;
}

function addressOf(path: string): string {
  return `/assets/${basename(path)}`;
}

/** Headers as a `_headers` file has them. */
function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('');
}
