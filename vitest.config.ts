import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// `.ci/run` names a file that it reads the counts from.
const report = process.env.TESSERA_TEST_REPORT;

export default defineConfig({
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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Modules are loaded once for each worker, not for each of some 290 files: 80 of 330 seconds. Tests leave nothing behind in them.
    isolate: false,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
