import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

/** Bytes, gzipped, that what is uploaded may have: a Worker is loaded wherever it is first asked for. */
export const MAX_BYTES = 1_000_000;

/** What is uploaded, and what is wrong with it. */
export interface BundleReport {
  readonly bytes: number;
  readonly gzipped: number;
  /** What it imports from the runtime. */
  readonly imports: readonly string[];
  readonly problems: readonly string[];
}

const metafileSchema = z.object({
  inputs: z.record(z.string(), z.unknown()),
  outputs: z.record(
    z.string(),
    z.object({ imports: z.array(z.object({ path: z.string(), external: z.boolean().optional() })) }),
  ),
});

/** Packages that are, or bring, native code. */
const NATIVE = /\.node$|node_modules\/(?:better-sqlite3|onnxruntime-node|sharp|piscina|@huggingface|@xenova)\//;

/**
 * Weighs what `wrangler deploy --dry-run --outdir FOLDER --metafile` has written, and looks for what a Worker has not: modules of
 * Node, and native code.
 */
export function checkBundle(folder: string): BundleReport {
  const files = readdirSync(folder).filter((name) => /\.(?:js|md|wasm)$/.test(name) && name !== 'README.md');
  const contents = files.map((name) => readFileSync(join(folder, name)));
  const bytes = contents.reduce((sum, content) => sum + content.length, 0);
  const gzipped = contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
  const { inputs, outputs } = metafileSchema.parse(JSON.parse(readFileSync(join(folder, 'bundle-meta.json'), 'utf8')));
  const imports = [
    ...new Set(
      Object.values(outputs).flatMap((output) =>
        output.imports
          .filter(({ external, path }) => external === true && !path.endsWith('.md'))
          .map(({ path }) => path),
      ),
    ),
  ].sort();
  const native = Object.keys(inputs).filter((path) => NATIVE.test(path));
  return {
    bytes,
    gzipped,
    imports,
    problems: [
      ...(gzipped > MAX_BYTES ? [`${gzipped} bytes gzipped are more than ${MAX_BYTES}`] : []),
      ...imports.filter((path) => path !== 'cloudflare:workers').map((path) => `it imports "${path}"`),
      ...native.map((path) => `it holds ${path}, which is native`),
    ],
  };
}
