import { expect } from 'vitest';
import { eventParser } from '../../src/client/parse-events.ts';
import type { Contract, Operation } from './contract.ts';

/** That an answer is one of those that the contract tells of for the operation, to the last field. */
export async function checkAnswer(response: Response, { name, responses, pointer }: Operation, contract: Contract) {
  const { status, headers } = response;
  const text = await response.text();
  const documented = responses[status];
  expect(status, `${name}: ${text}`).not.toBe(500);
  expect(Object.keys(responses), `${name}: ${status} ${text}`).toContain(String(status));
  expect(headers.get('x-request-id'), name).toMatch(/./);
  for (const [header, { required }] of Object.entries(documented.headers ?? {})) {
    if (required === true) expect(headers.get(header), `${name} ${status} ${header}`).toMatch(/./);
  }
  if (documented.content === undefined) {
    expect(text, name).toBe('');
    return;
  }
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  expect(Object.keys(documented.content), `${name} ${status}`).toContain(type);
  if (type === 'text/event-stream') checkEvents(text, contract);
  if (!type.endsWith('json')) return;
  const body: unknown = JSON.parse(text);
  const misfits = contract.misfits([...pointer, 'responses', String(status), 'content', type, 'schema'], body);
  expect(misfits, `${name} ${status}: ${text}`).toEqual([]);
  if (type === 'application/problem+json') expect(body, name).toMatchObject({ status });
}

/** Schemas of the data of events; of those that are not named here any JSON will do. */
const DATA: Readonly<Record<string, string>> = { digest: 'Digest', error: 'Problem' };

function checkEvents(text: string, contract: Contract): void {
  const events = eventParser()(text);
  for (const { event, data } of events) {
    const value: unknown = JSON.parse(data);
    const schema = DATA[event];
    if (schema !== undefined) expect(contract.misfits(['components', 'schemas', schema], value)).toEqual([]);
    if (event === 'error') expect(value).not.toMatchObject({ status: 500 });
  }
}
