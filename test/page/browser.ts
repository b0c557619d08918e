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
  describe.skipIf(!isThere)(isThere ? name : `${name} (skipped: no ${CHROMIUM}; apt-get install chromium)`, () => {
    tests();
  });
}

/** A page of a service of its own, open in a browser profile of its own; both end with the test. */
export interface OpenPage extends TestApp {
  readonly page: Page;
  readonly origin: string;
  /** Requests that would have left the origin; they were not let out. */
  readonly foreign: readonly string[];
  /** What the browser complained of: exceptions, failed loads, breaches of the policy. */
  readonly complaints: string[];
  /** Goes to a view, by the part after `#`. */
  go(hash: string): Promise<void>;
}

interface OpenOptions {
  readonly service?: TestOptions;
  readonly context?: BrowserContextOptions;
}

/**
 * Starts a service with the in-process engine, and opens the page that `npm run build:page` made. When the test ends it fails
 * where the browser complained, or anything was asked of another origin.
 */
export async function openPage({ service = {}, context: options = {} }: OpenOptions = {}): Promise<OpenPage> {
  const test = testApp({ ...service, app: { page: pageFiles(), ...service.app } });
  const server = createServer(getRequestListener(test.app.fetch));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service has no port');
  const origin = `http://127.0.0.1:${address.port}`;

  const { context, page, foreign, complaints } = await watchedPage(origin, options);
  onTestFinished(async () => {
    await context.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });
  const go = async (hash: string): Promise<void> => {
    await page.goto(`${origin}/${hash}`);
  };
  return { ...test, page, origin, foreign, complaints, go };
}

/**
 * Opens what something else serves, in a browser profile of its own, which ends with the test: it fails where the browser
 * complained, or anything was asked of another origin.
 */
export async function openAddress(
  url: string,
  options: BrowserContextOptions = {},
): Promise<Pick<OpenPage, 'page' | 'complaints'>> {
  const { context, page, foreign, complaints } = await watchedPage(new URL(url).origin, options);
  onTestFinished(async () => {
    await context.close();
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });
  await page.goto(url);
  return { page, complaints };
}

/** An empty page that reaches one origin only, and what is to be told of it. */
async function watchedPage(origin: string, options: BrowserContextOptions) {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const context = await (await browser).newContext({ acceptDownloads: true, ...options });
  const foreign: string[] = [];
  const complaints: string[] = [];
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`) || /^(?:blob|data):/.test(url)) return route.continue();
    foreign.push(url);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return { context, page, foreign, complaints };
}

/** What axe-core finds that keeps people out: violations of serious or critical impact, as `rule: element`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = await page.evaluate(async () => {
    // axe-core puts itself there.
    const { axe } = globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } };
    return (await axe.run()).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}
