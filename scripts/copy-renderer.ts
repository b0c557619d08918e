import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { z } from 'zod';

const PACKAGE = 'node_modules/@scalar/api-reference';
const MODULE = /node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?(?<name>(?:@[^/]+\/)?[^/]+)/;
const stats = z.object({ modules: z.array(z.object({ name: z.string() })) });

/**
 * Copies Scalar's standalone build, as it is published, under a name that tells its content.
 *
 * @returns its path, and which packages it holds, as esbuild would tell of a bundle
 */
export function copyRenderer(folder: string): { readonly path: string; readonly metafile: Metafile } {
  const build = join(PACKAGE, 'dist/browser');
  const script = readFileSync(join(build, 'standalone.js'));
  const path = join(folder, `scalar-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`);
  writeFileSync(path, script);
  const { modules } = stats.parse(JSON.parse(readFileSync(join(build, 'webpack-stats.json'), 'utf8')));
  const names = new Set(modules.flatMap(({ name }) => MODULE.exec(name)?.groups?.name ?? []));
  const folders = [...names].map((name) => join('node_modules', name)).filter((each) => existsSync(each));
  const inputs = [PACKAGE, ...folders].map((each) => [join(each, 'package.json'), { bytes: 0, imports: [] }]);
  return { path, metafile: { inputs: Object.fromEntries(inputs), outputs: {} } };
}
