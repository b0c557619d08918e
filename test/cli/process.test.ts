import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { backupCommand } from '../../src/cli/copies.node.ts';
import { digestSchema, readinessSchema } from '../../src/contract/index.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { callCli } from '../support/call-cli.ts';
import { type Environment, runCli, startCli } from '../support/cli.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { settingsOf, startProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each(['--version', '--help', 'serve --help', 'benchmark run --help', 'digset', 'work --jobs 3', 'tenants delete'])(
  'tessera %s: the built command answers as its source does',
  async (line) => {
    const outcome = await runCli(line.split(' '), temporaryFolder());
    expect(outcome).toEqual(await callCli(line.split(' '), temporaryFolder()));
    expect(`${outcome.stdout}${outcome.stderr}`).not.toBe('');
  },
);

test.each([
  ['PORT', '80a'],
  ['TESSERA_MATRIX', 'gpu'],
])('%s=%s: exit 1 and one sentence that names it', async (name, value) => {
  const { code, stdout, stderr } = await callCli(['serve'], temporaryFolder(), { [name]: value });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(new RegExp(`^${name} must be .*"${value}"\\.\n$`));
});

test.each(['serve', 'work', 'backup copy.sqlite'])(
  '"%s" over a database of a newer version: exit 1 and one sentence',
  async (command) => {
    const folder = temporaryFolder();
    const file = join(folder, 'tessera.sqlite');
    openDatabase(file).close();
    const sqlite = new BetterSqlite3(file);
    sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9e15)").close();
    const { code, stdout, stderr } = await callCli(command.split(' '), folder, { TESSERA_DB: file });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^"\S+" has schema \d+, made by a newer Tessera, and this one knows schemas up to \d+: .*\.\n$/,
    );
  },
);

test.each([
  [['--port', '65536'], '--port is at most 65535, not "65536".'],
  [['--port', '80a'], '--port is a whole number from 0, not "80a".'],
])('serve %s: exit 2', async (flags, told) => {
  const { code, stderr } = await callCli(['serve', ...flags], temporaryFolder(), { TESSERA_DB: ':memory:' });
  expect([code, stderr]).toEqual([2, `${told} See "tessera serve --help".\n`]);
});

/** Places that hold no database, made in a folder. */
const NO_DATABASE: readonly (readonly [what: string, why: string, make: (folder: string) => string])[] = [
  ['a folder', 'it is a folder or a device, not a file', (folder) => folder],
  [
    'a pipe that nobody writes to',
    'it is a folder or a device, not a file',
    (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      return join(folder, 'pipe');
    },
  ],
  [
    'a path through a file',
    'a part of the path is not a folder',
    (folder) => {
      writeFileSync(join(folder, 'file'), '');
      return join(folder, 'file', 'deep', 'tessera.sqlite');
    },
  ],
  [
    'a text',
    'it is a file of another kind',
    (folder) => {
      writeFileSync(join(folder, 'text'), 'This is no database. '.repeat(50));
      return join(folder, 'text');
    },
  ],
  [
    'a folder in /proc, where nothing can be made',
    'its folder does not exist and cannot be created',
    () => '/proc/x/y.sqlite',
  ],
];

// In a process of its own, which can be ended if it hangs.
test.skipIf(process.platform !== 'linux').each(NO_DATABASE)(
  '%s as TESSERA_DB: exit 1 and one sentence',
  async (_, why, make) => {
    const file = make(temporaryFolder());
    const { code, stdout, stderr } = await runCli(['webhooks', 'secret'], temporaryFolder(), { TESSERA_DB: file });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`TESSERA_DB names "${file}", which cannot be opened as a database: ${why}.\n`);
  },
);

/** Starts `tessera serve` on a free port and waits until it says where it listens. */
async function startServer(environment: Environment = {}) {
  const folder = temporaryFolder();
  const child = startCli(['serve'], folder, { PORT: '0', ...environment });
  const exited = once(child, 'exit');
  if (child.stderr === null) throw new Error('no pipes');
  for await (const line of createInterface({ input: child.stderr })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    child.stderr.resume();
    return { child, exited, url: String(url), folder };
  }
  throw new Error(`the server ended before it listened: ${await exited}`);
}

test('a port that is taken: exit 1 and one sentence that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    other.close();
  });
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const settings = { PORT: '1', TESSERA_DB: ':memory:', TESSERA_LOG: 'error' };
  const { code, stderr } = await runCli(['serve', '--port', String(port)], temporaryFolder(), settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^127\\.0\\.0\\.1:${port} is not available: another program is listening there\\. .*\\.\n$`),
  );
});

test('answers, keeps what it made, and stops on SIGTERM without leaving a process', async () => {
  const { child, exited, url, folder } = await startServer({ TESSERA_DB: 'tessera.sqlite' });
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  const ready = readinessSchema.parse(await (await fetch(`${url}/readyz`)).json());
  expect(ready).toMatchObject({ encoder: 'transformers', matrix: 'portable' });
  const made = await fetch(`${url}/v1/digests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents: CITY, intent: CITY_INTENT }),
  });
  expect(made.status).toBe(201);
  const digest = digestSchema.parse(await made.json());

  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  const group = -Number(child.pid);
  expect(() => process.kill(group, 0)).toThrow('ESRCH');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();

  const next = await startServer({ TESSERA_DB: `${folder}/tessera.sqlite` });
  const read = await fetch(`${next.url}/v1/digests/${digest.id}`);
  expect(digestSchema.parse(await read.json())).toEqual(digest);
  next.child.kill('SIGINT');
  expect(await next.exited).toEqual([0, null]);
});

test('a request that is under way when SIGTERM comes is answered', async () => {
  const { child, exited, url } = await startServer({ TESSERA_DB: ':memory:' });
  const body = JSON.stringify({ documents: CITY, intent: CITY_INTENT });
  const request = httpRequest(`${url}/v1/digests`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      expect: '100-continue',
    },
  });
  request.flushHeaders();
  await once(request, 'continue'); // the server has the request, and waits for the rest
  child.kill('SIGTERM');
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(201);
  expect(digestSchema.parse(await json(response)).status).toBe('completed');
  expect(await exited).toEqual([0, null]);
});

test('a database that another process has open is not replaced', async () => {
  const folder = temporaryFolder();
  const [backup, database] = [join(folder, 'copy.sqlite'), join(folder, 'data', 'tessera.sqlite')];
  const made = openDatabase(database);
  await backupCommand(made, backup);
  made.close();
  const settings = settingsOf(database, { TESSERA_JOBS: '0' });
  const worker = await startProcess('work', folder, settings);
  const refused = await runCli(['restore', backup, '--force'], folder, settings);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe(`${database} is in use: stop "tessera serve" and every "tessera work" first.\n`);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toEqual([0, null]);
  expect(worker.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(await runCli(['restore', backup, '--force'], folder, settings)).toMatchObject({ code: 0, stderr: '' });
});
