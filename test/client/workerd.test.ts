import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { DIGEST, eventText, problem, type Reply, ScriptedService, STREAM } from './scripted-service.ts';

const BUILT = fileURLToPath(new URL('../../dist/client', import.meta.url));
const KEY = 'tsr_live_0123456789abcdef';
const LOCATION = '/v1/digests/dig_1';

/** What an edge function of a user would be: it reads nothing but the address of the service. */
const WORKER = `
import { createClient, ValidationError } from './client/client.js';

export default {
  async fetch(request) {
    const baseUrl = new URL(request.url).searchParams.get('service');
    const { digests, collections } = createClient({ baseUrl, apiKey: '${KEY}' });
    try {
      const created = await digests.create({ documents: [{ id: 'd1', text: 'Trams run.' }] });
      const events = [];
      for await (const event of digests.stream({ collection: 'col_1' })) events.push(event);
      const failure = await collections.create({ name: '' }).catch((error) => error);
      const stopped = new AbortController();
      const waiting = digests.wait('dig_slow', { signal: stopped.signal }).catch((error) => error.name);
      setTimeout(() => stopped.abort(), 20);
      const ended = await waiting;
      const late = await digests.wait('dig_slow', { timeoutMilliseconds: 20 }).catch((error) => error.name);
      return Response.json({ created, events, failure, isValidation: failure instanceof ValidationError, ended, late });
    } catch (error) {
      return Response.json({ thrown: String(error), stack: error.stack }, { status: 500 });
    }
  },
};
`;

/** The configuration of a worker of these modules, that may call services on this machine. */
function configuration(files: readonly string[]): string {
  const modules = files.map((file) => `(name = "client/${file}", esModule = embed "${file}")`);
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules.join(', ')}],
  compatibilityDate = "2026-04-01",
);
`;
}

/** Starts workerd with a configuration, until the test ends; answers its address. */
async function startWorkerd(file: string): Promise<string> {
  // The path of the binary itself: the command beside it may be a script, whose child would outlive it.
  const { default: binary }: { readonly default: string } = createRequire(import.meta.url)('workerd');
  const child = spawn(binary, ['serve', '--control-fd=3', file], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const { stderr } = child;
  const control = child.stdio[3];
  if (stderr === null || !(control instanceof Readable)) throw new Error('workerd cannot be listened to');
  let complaints = '';
  stderr.on('data', (part) => {
    complaints += part;
  });
  const listening = (async () => {
    for await (const line of createInterface(control)) {
      const { event, port } = JSON.parse(line);
      if (event === 'listen') return `http://127.0.0.1:${port}`;
    }
    await exited;
    throw new Error(`workerd did not start: ${complaints}`);
  })();
  return listening;
}

/** Modules that a built module imports. */
function importsOf(file: string): string[] {
  const code = readFileSync(join(BUILT, file), 'utf8');
  return [...code.matchAll(/(?:from\s*|import\s*\(?\s*)['"]([^'"]+)['"]/g)].map(([, name]) => name);
}

test('the built client runs in an edge runtime, and imports nothing', async () => {
  expect(existsSync(join(BUILT, 'client.js')), 'run npm run build first').toBe(true);
  const files = readdirSync(BUILT).filter((file) => file.endsWith('.js'));
  const known = new Set(files.map((file) => `./${file}`));
  expect(files.flatMap(importsOf).filter((name) => !known.has(name))).toEqual([]);

  const events = [
    eventText(1, 'accepted', { id: 'dig_1', location: LOCATION }),
    eventText(2, 'sentence', { index: 0, text: 'Trams – 電車 – run.' }),
    eventText(3, 'digest', DIGEST),
  ];
  const service = await ScriptedService.start(({ method, path, headers, body }): Reply => {
    if (headers.authorization !== `Bearer ${KEY}`) return problem(401, 'unknown-key');
    if (path === '/v1/collections')
      return problem(422, 'invalid-request', { errors: [{ pointer: '/name', detail: 'x' }] });
    if (path === '/v1/digests/dig_slow') return { headers: STREAM, body: ': still here\n\n', end: 'open' };
    if (method === 'GET') return { headers: STREAM, body: events.slice(Number(headers['last-event-id'])).join('') };
    if (headers.accept !== 'text/event-stream') return { status: 201, headers: { location: LOCATION }, body: DIGEST };
    expect(body).toEqual({ collection: 'col_1' });
    return { headers: STREAM, body: `${events[0]}${events[1].slice(0, -5)}`, end: 'broken' };
  });

  const folder = temporaryFolder();
  for (const file of files) writeFileSync(join(folder, basename(file)), readFileSync(join(BUILT, file)));
  writeFileSync(join(folder, 'worker.js'), WORKER);
  writeFileSync(join(folder, 'config.capnp'), configuration(files));
  const address = await startWorkerd(join(folder, 'config.capnp'));
  const response = await fetch(`${address}/?service=${encodeURIComponent(service.url)}`);
  const answer = await response.json();
  expect(answer).toMatchObject({
    created: DIGEST,
    events: [
      { event: 'accepted', id: 1 },
      { event: 'sentence', id: 2, data: { text: 'Trams – 電車 – run.' } },
      { event: 'digest', id: 3, data: DIGEST },
    ],
    failure: { name: 'ValidationError', status: 422, requestId: 'req_1', problem: { errors: [{ pointer: '/name' }] } },
    isValidation: true,
    ended: 'AbortError',
    late: 'TimeoutError',
  });
  expect(JSON.stringify(answer)).not.toContain(KEY);
  expect(service.sent.map(({ method, path }) => `${method} ${path}`).slice(0, 4)).toEqual([
    'POST /v1/digests',
    'POST /v1/digests',
    `GET ${LOCATION}`,
    'POST /v1/collections',
  ]);
});
