import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { getRequestListener } from '@hono/node-server';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { pageFiles } from '../../src/server/runtime/node/serve.node.ts';
import { type TestApp, type TestOptions, testApp } from '../support/test-deps.ts';

/** Where Debian's package puts it; another can be named. */
const CHROMIUM = process.env.TESSERA_CHROMIUM ?? '/usr/bin/chromium';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** One browser for all files of a worker, launched by the first test that needs it; it ends with the process. */
let browser: Promise<Browser> | null = null;

/** Tests in a browser; without one they are skipped, and say what to install. */
export function inBrowser(name: string, tests: () => void): void {
  const isThere = existsSync(CHROMIUM);
  describe.skipIf(!isThere)(isThere ? name : `${name} (skipped: no ${CHROMIUM}; apt-get install chromium)`, tests);
}

/** A page in a browser profile of its own, which ends with the test. */
interface WatchedPage {
  readonly page: Page;
  /** What the browser complained of: exceptions, failed loads, breaches of the policy. A test must leave none. */
  readonly complaints: string[];
}

export interface OpenPage extends TestApp, WatchedPage {
  readonly origin: string;
  /** Goes to a view, by the part after `#`. */
  go(hash: string): Promise<void>;
}

interface OpenOptions {
  readonly service?: TestOptions;
  readonly context?: BrowserContextOptions;
}

/** Starts a service with the in-process engine, and opens the page that `npm run build:page` made. */
export async function openPage({ service = {}, context = {} }: OpenOptions = {}): Promise<OpenPage> {
  const test = testApp({ ...service, app: { page: pageFiles(), ...service.app } });
  const server = createServer(getRequestListener(test.app.fetch));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const watched = await watchedPage(origin, context);
  return { ...test, ...watched, origin, go: async (hash) => void (await watched.page.goto(`${origin}/${hash}`)) };
}

/** Opens what something else serves. */
export async function openAddress(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await watchedPage(new URL(url).origin, options);
  await watched.page.goto(url);
  return watched;
}

/** An empty page that reaches one origin only. The test fails if the browser complained, or another origin was asked. */
async function watchedPage(origin: string, options: BrowserContextOptions): Promise<WatchedPage> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const context = await (await browser).newContext({ acceptDownloads: true, ...options });
  const foreign: string[] = [];
  const complaints: string[] = [];
  onTestFinished(async () => {
    await context.close();
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`) || /^(?:blob|data):/.test(url)) return route.continue();
    foreign.push(url);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return { page, complaints };
}

/** Answers the confirmations of a page, each as `answers` says. @returns what was asked */
export function confirming(page: Page, ...answers: readonly boolean[]): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    const isConfirmed = answers[asked.push(dialog.message()) - 1];
    void (isConfirmed ? dialog.accept() : dialog.dismiss());
  });
  return asked;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** What axe-core finds that keeps people out: violations of serious or critical impact, as `rule: element`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
