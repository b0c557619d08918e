import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// `.ci/run` names a file that it reads the counts from.
const report = process.env.TESSERA_TEST_REPORT;

/** Tests that need the build, a browser, workerd or another process of Node: all but these run with `--mode unit`. */
const PROCESSES = [
  'test/client/workerd.test.ts',
  'test/digest/portable-engine.test.ts',
  'test/docs/{examples,pages}.test.ts',
  'test/evaluation/threads.test.ts',
  'test/cli/benchmark/{annotate,killed}.test.ts',
  'test/cli/{compare,digest,documents,eval,file-reader,process}.test.ts',
  'test/models/encoders/threads.test.ts',
  'test/page/{annotate,comparing,experimenting,making,map,page,reading-digests,reading-source,reading-view}.test.ts',
  'test/runtime/*.test.ts',
  'test/scripts/check-bundle.test.ts',
  'test/server/experiments/forget-subjects.test.ts',
  'test/server/jobs/{burst-then-stop,crash,two-workers}.test.ts',
  'test/store/*.test.ts',
];

export default defineConfig(({ mode }) => ({
  // As wrangler does: a prompt is a module that holds its text.
  plugins: [
    { name: 'text', transform: (code, id) => (id.endsWith('.md') ? `export default ${JSON.stringify(code)}` : null) },
  ],
  resolve: {
    alias: [
      {
        find: 'cloudflare:workers',
        replacement: fileURLToPath(new URL('test/support/cloudflare-workers.ts', import.meta.url)),
      },
      {
        find: /^fast-check$/,
        replacement: fileURLToPath(new URL('test/support/seeded-fast-check.ts', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'unit' ? PROCESSES : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Modules are loaded once for each worker, not for each of some 290 files: 80 of 330 seconds. Tests leave nothing behind in them.
    isolate: false,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
}));
