import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { inBrowser, openAddress } from '../page/browser.ts';
import { until } from '../support/until.ts';
import { ROOT, run, type Service, startNode, startService } from './processes.ts';

const FOLDER = join(ROOT, 'examples/documents');
const documents = readdirSync(FOLDER).map((id) => ({ id, text: readFileSync(join(FOLDER, id), 'utf8') }));
const TURNOVER = 'Staff turnover fell from nine people in the first half of last year to three.';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const node = (...args: string[]) => run(process.execPath, args, { TESSERA_URL: service.url });

test('the library answers from the folder, and says what nobody answers', async () => {
  const lines = (await node('examples/library.js')).split('\n');
  expect(lines).toContain(`- ${TURNOVER} [trial-report.md]`);
  expect(lines).toContain('How many books were stolen? (answered: no)');
});

test('the Worker answers from a collection, and passes mistakes on', async () => {
  const { collections } = createClient({ baseUrl: service.url });
  const { id } = await collections.create();
  for (const document of documents) await collections.putDocument(id, document);

  const settings = readFileSync(join(ROOT, 'examples/worker/wrangler.toml'), 'utf8');
  const setting = (name: string) => new RegExp(`^${name} = "(.+)"$`, 'm').exec(settings)?.[1] ?? '';
  const entry = join(ROOT, 'examples/worker', setting('main'));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  expect(setting('TESSERA_URL')).toMatch(/^https:/);
  const worker = async (collection: string) => {
    const miniflare = new Miniflare({
      modules: true,
      script: outputFiles[0].text,
      compatibilityDate: setting('compatibility_date'),
      bindings: { TESSERA_URL: service.url, TESSERA_COLLECTION: collection },
    });
    onTestFinished(() => miniflare.dispose());
    return (await miniflare.ready).href;
  };
  const address = await worker(id);
  const answer = await fetch(`${address}?question=What+did+the+trial+change%3F`);
  expect(await answer.json()).toMatchObject({
    answer: expect.stringContaining(TURNOVER),
    sources: [1, 2, 3, 4, 5].map((number) => ({ number })),
  });
  expect((await fetch(address)).status).toBe(400);
  expect((await fetch(`${await worker('col_gone')}?question=Why`)).status).toBe(502);
});

describe('the webhook receiver', () => {
  const start = async (secret: string) => {
    const receiver = await startNode(['examples/webhook-receiver.js'], { PORT: '0', TESSERA_WEBHOOK_SECRET: secret });
    onTestFinished(receiver.stop);
    return receiver;
  };

  test('prints what the service tells it', async () => {
    const secret = await run(process.execPath, ['dist/cli.js', 'webhooks', 'secret'], service.settings);
    const { url, lines } = await start(secret.trim());
    const { digests } = createClient({ baseUrl: service.url });
    const { id } = await digests.create({ documents, callbackUrl: `${url}/hook` });
    await until(`the message of ${id}`, () => lines.includes(`digest.completed ${id}`));
  });

  test('takes a message once, and none that is signed otherwise, changed, unsigned or old', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const { url, lines } = await start(secret);
    // The signature after the specification of Standard Webhooks, without its library.
    const send = async (body: string, { key = 7, time = Math.floor(Date.now() / 1000), sent = body } = {}) => {
      const signature = createHmac('sha256', Buffer.alloc(24, key)).update(`msg_1.${time}.${body}`).digest('base64');
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${time}`, 'webhook-signature': `v1,${signature}` };
      return (await fetch(url, { method: 'POST', body: sent, headers })).status;
    };
    const body = '{"type":"digest.completed","data":{"id":"dig_1"}}';
    expect(await send(body)).toBe(204);
    expect(await send(body)).toBe(204);
    expect(await send(body, { key: 8 })).toBe(400);
    expect(await send(body, { sent: body.replace('dig_1', 'dig_2') })).toBe(400);
    expect(await send(body, { time: Math.floor(Date.now() / 1000) - 600 })).toBe(400);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
    expect(lines.filter((line) => line.startsWith('digest'))).toEqual(['digest.completed dig_1']);
  });
});

inBrowser('the page', () => {
  test('shows cited sentences, passes on nothing but digests, and keeps the key from the browser', async () => {
    const settings = { PORT: '0', TESSERA_URL: service.url, TESSERA_KEY: 'tsr_not_for_browsers' };
    const server = await startNode(['examples/browser/server.js'], settings);
    onTestFinished(server.stop);
    expect((await fetch(`${server.url}/v1/digests`)).status).toBe(404);
    expect((await fetch(`${server.url}/v1/experiments`)).status).toBe(404);
    expect((await fetch(`${server.url}/server.js`)).status).toBe(404);
    const served = await Promise.all(['/', '/page.js', '/tessera-client.js'].map((path) => fetch(server.url + path)));
    for (const file of served) expect(await file.text()).not.toContain('tsr_not');

    const { page } = await openAddress(server.url);
    await page.getByLabel('Document').fill(documents.find(({ id }) => id === 'trial-report.md')?.text ?? '');
    await page.getByLabel('Question').fill('What did the trial change?');
    await page.getByRole('button').click();
    await page.getByText('Answered: yes').waitFor();
    const item = page.getByRole('listitem').filter({ hasText: TURNOVER });
    expect(await item.getAttribute('title')).toContain(`“${TURNOVER}”`);
  });
});
