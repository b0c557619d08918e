import { expect, test } from 'vitest';
import {
  type ClientOptions,
  ConnectionError,
  createClient,
  ServerError,
  type TableEvent,
} from '../../src/client/index.ts';
import { TABLE } from '../../src/contract/index.ts';
import { type Reply, ScriptedService, STREAM } from './scripted-service.ts';

const REQUEST = { documents: ['Trams run.'], questions: ['What runs?'] };
const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const CELL = { document: '1', column: 0, answered: false, sure: false, text: '', quote: null };

async function scripted(reply: Reply, options: Partial<ClientOptions> = {}) {
  const service = await ScriptedService.start(() => reply);
  return { service, ...createClient({ baseUrl: service.url, maxRetries: 0, ...options }) };
}

async function all(events: AsyncIterable<TableEvent>): Promise<TableEvent[]> {
  const found: TableEvent[] = [];
  for await (const each of events) found.push(each);
  return found;
}

test('a table is made by one POST with an idempotency key', async () => {
  const { service, tables } = await scripted({ status: 201, body: TABLE });
  expect(await tables.make(REQUEST)).toEqual(TABLE);
  expect(service.sent).toMatchObject([{ method: 'POST', path: '/v1/tables', body: REQUEST }]);
  expect(service.sent[0].headers['idempotency-key']).toMatch(/^[\w-]{36}$/);
});

test('a stream tells cells up to the table, and skips what it does not know', async () => {
  const body = `: still here\n\n${event('cell', CELL)}${event('weather', {})}${event('table', TABLE)}${event('cell', CELL)}`;
  const { service, tables } = await scripted({ headers: STREAM, body });
  expect(await all(tables.stream(REQUEST))).toEqual([
    { event: 'cell', data: CELL },
    { event: 'table', data: TABLE },
  ]);
  // With a key, the service would send the events only at the end.
  expect(service.sent[0].headers).toMatchObject({ accept: 'text/event-stream' });
  expect(service.sent[0].headers['idempotency-key']).toBeUndefined();
});

test('a failure is thrown, and a stream that breaks is not asked for again', async () => {
  const failed = await scripted({
    headers: STREAM,
    body:
      event('cell', CELL) +
      event('error', { type: 'urn:tessera:problem:model-call-failed', title: 'Failed', status: 502, detail: 'No.' }),
  });
  const failure = await all(failed.tables.stream(REQUEST)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServerError);
  expect(failure).toMatchObject({ status: 502 });
  for (const end of [undefined, 'broken'] as const) {
    const { service, tables } = await scripted({ headers: STREAM, body: event('cell', CELL), ...(end && { end }) });
    await expect(all(tables.stream(REQUEST))).rejects.toBeInstanceOf(ConnectionError);
    expect(service.sent).toHaveLength(1);
  }
});
