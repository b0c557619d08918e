import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createClient } from '../src/client/index.ts';

/**
 * Takes the picture of the README afresh: the page in Chromium with a digest of `examples/documents` and one source open at
 * its quote, down to the box for the next question. Needs `npm run build` before; TESSERA_CHROMIUM names another browser.
 *
 *     npx tsx scripts/picture.ts
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENTS = join(ROOT, 'examples/documents');
const PICTURE = join(ROOT, 'docs/images/digest.png');
const folder = mkdtempSync(join(tmpdir(), 'tessera-picture-'));

const environment = { ...process.env, PORT: '0', TESSERA_DB: join(folder, 'tessera.sqlite') };
const service = spawn(process.execPath, [join(ROOT, 'dist/node.js')], {
  env: environment,
  stdio: ['ignore', 'ignore', 'pipe'],
});
try {
  const baseUrl = await addressOf(service.stderr);
  const documents = readdirSync(DOCUMENTS).map((file) => {
    const text = readFileSync(join(DOCUMENTS, file), 'utf8');
    return { id: file, title: text.slice(2, text.indexOf('\n')), text };
  });
  const intent = 'What changed for the staff, and what did the trial cost?';
  const { id } = await createClient({ baseUrl }).digests.create({ documents, intent });

  const browser = await chromium.launch({
    executablePath: process.env.TESSERA_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await page.goto(`${baseUrl}/#/digests/${id}`);
    const summary = page.locator('.read-summary');
    await summary.waitFor();
    await summary.getByRole('button', { name: 'The trial cost' }).first().click();
    await page.locator('mark[aria-current]').first().waitFor();
    const end = await page.getByRole('region', { name: 'Ask something else' }).boundingBox();
    if (end === null) throw new Error('the page has no box for the next question');
    await page.screenshot({ path: PICTURE, clip: { x: 0, y: 0, width: 1280, height: end.y + end.height + 24 } });
  } finally {
    await browser.close();
  }
} finally {
  service.kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

/** Where the service listens, by its log. */
async function addressOf(log: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: log })) {
    const { msg, url } = JSON.parse(line);
    if (msg === 'listening') return url;
  }
  throw new Error('the service did not start');
}
