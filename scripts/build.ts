import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { licencesOf } from './licences-of.ts';

/**
 * Makes `dist/`: one file of code per door and entry point with the chunks that they share, and the declarations that the doors lead to.
 * What is installed stands outside. The page, the client's own package and the Worker's bundle have scripts of their own.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const DOORS = ['index', 'index.node', 'index.worker', 'client/client'];

const shared: BuildOptions = {
  absWorkingDir: ROOT,
  outdir: DIST,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  packages: 'external',
  external: ['node:*', 'cloudflare:*'],
};

const CHARTS = { path: './charts.js', external: true };

/** Leaves only the declarations that a door leads to. */
function pruneDeclarations(): void {
  const kept = new Set<string>();
  const next = DOORS.map((door) => join(DIST, `${door}.d.ts`));
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, from] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()["'](\.[^"']+)\.[jt]s["']/g)) {
      next.push(join(dirname(file), `${from}.d.ts`));
    }
  }
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const file = join(DIST, name);
    if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
  }
}

rmSync(DIST, { recursive: true, force: true });
const { metafile } = await build({
  ...shared,
  entryPoints: {
    index: 'src/index.ts',
    'index.node': 'src/index.node.ts',
    'index.worker': 'src/index.worker.ts',
    cli: 'src/cli.ts',
    node: 'src/node.ts',
    thread: 'src/digest/threads/thread.node.ts',
    'digest-thread': 'src/digest/threads/digest-thread.node.ts',
    'evaluation-thread': 'src/evaluation/threads/evaluation-thread.node.ts',
    'file-thread': 'src/cli/file-thread.node.ts',
  },
  splitting: true,
  metafile: true,
  plugins: [{ name: 'charts', setup: (bundle) => bundle.onResolve({ filter: /\/charts\.ts$/ }, () => CHARTS) }],
});
// Charts of reports are loaded by those who want a page. echarts is bundled, as most of it is not needed.
const charts = await build({
  ...shared,
  packages: 'bundle',
  minify: true,
  legalComments: 'none', // the licences lie beside it, whole
  metafile: true,
  entryPoints: { charts: 'src/lab/report/charts.ts' },
});
writeFileSync(join(DIST, 'charts.licences.txt'), licencesOf([charts.metafile]));
// Two classes of one name in a chunk: the second would be shown under a name that nobody wrote.
for (const file of Object.keys(metafile.outputs)) {
  const [renamed] = /^(?:var )?(?:class )?\w*Error\d+\b.*/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  if (renamed !== undefined) throw new Error(`${relative(ROOT, file)} renames a class of errors: ${renamed}`);
}
// The client is one file, which a page or an edge function can take by itself.
await build({ ...shared, outdir: join(DIST, 'client'), entryPoints: { client: 'src/client/client.ts' } });
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
pruneDeclarations();
