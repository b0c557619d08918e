import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/index.node.ts';
import { createKey } from '../../src/store/index.ts';
import { agentOf, agentOver } from '../mcp/agent.ts';
import { callCli } from '../support/call-cli.ts';
import { type Environment, startCli } from '../support/cli.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { settingsOf, startProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The SDK's client over a process that it starts; the database has a key, which the owner of the file does not need. */
async function agentOfProcess(args: readonly string[], folder: string, environment: Environment) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../dist/cli.js'), 'mcp', ...args],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...environment },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { ...agentOf(client), pid: transport.pid ?? 0 };
}

test('serves tools from its own database, keys or not, and ends with its input', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.sqlite');
  const database = openDatabase(file);
  await createKey(database, { tenant: 'default', name: 'test', scopes: ['digests'] });
  database.close();
  const { call, client, pid } = await agentOfProcess([], folder, settingsOf(file));
  const { structured, isError } = await call('make_digest', { documents: CITY, intent: CITY_INTENT });
  expect(isError).toBe(false);
  const { id, summary } = Object(structured);
  const { document, quote } = summary.sentences[0].citations[0];
  const read = await call('get_source', { digest: id, document });
  expect(Object(read.structured).text.slice(quote.start, quote.end)).toBe(quote.text);
  await client.close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('nothing but the protocol is on standard output, whatever comes in', async () => {
  const folder = temporaryFolder();
  const child = startCli(['mcp'], folder, settingsOf(join(folder, 'tessera.sqlite')), 'pipe');
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('no pipes');
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'make_digest', arguments: { documents: [''] } } },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'gone', arguments: {} } },
    { jsonrpc: '2.0', id: 4, method: 'tools/list' },
  ];
  const answers: string[] = [];
  const done = new Promise<void>((resolve) => {
    let held = '';
    stdout.on('data', (bytes) => {
      held += bytes;
      answers.push(...held.split('\n').slice(0, -1));
      held = held.slice(held.lastIndexOf('\n') + 1);
      if (answers.length >= 4) resolve();
    });
  });
  stdin.write(`no JSON\n${messages.map((message) => JSON.stringify(message)).join('\n')}\n`);
  await done;
  const rest = text(stdout);
  stdin.end();
  expect(await rest).toBe('');
  const ids = answers.map((line) => {
    const { jsonrpc, id } = JSON.parse(line);
    return [jsonrpc, id];
  });
  expect(ids.sort((a, b) => a[1] - b[1])).toEqual([1, 2, 3, 4].map((id) => ['2.0', id]));
});

test('serves tools of a running service, by its key and over HTTP alike', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.sqlite');
  const database = openDatabase(file);
  const { key } = await createKey(database, { tenant: 'own', name: 'test', scopes: ['digests'] });
  database.close();
  const { ready, child, exited } = await startProcess('serve', folder, settingsOf(file));
  const url = String(ready.url);
  const over = await agentOfProcess(['--url', url], folder, { TESSERA_KEY: key });
  const { structured } = await over.call('add_documents', { collection: 'City', documents: CITY });
  const direct = await agentOver(fetch, { key, url: `${url}/mcp` });
  const found = await direct.call('search_collection', { collection: 'City', query: CITY_INTENT });
  expect(Object(found.structured).collection).toBe(Object(structured).collection.id);
  expect(Object(found.structured).passages.length).toBeGreaterThan(0);
  const none = await agentOfProcess(['--url', url], folder, {});
  const refused = await none.call('search_collection', { collection: 'City', query: CITY_INTENT });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('key') });
  expect(JSON.stringify([found, refused])).not.toContain(key);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('an address that can never work: exit 2 and one sentence', async () => {
  const { code, stdout, stderr } = await callCli(['mcp', '--url', 'example.org'], temporaryFolder());
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe('--url is no http or https address. See "tessera mcp --help".\n');
});
