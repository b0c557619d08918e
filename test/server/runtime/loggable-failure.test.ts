import type { D1Database } from '@cloudflare/workers-types';
import { DrizzleQueryError } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { consoleLog } from '../../../src/server/index.ts';
import { type LoggableFailure, loggableFailure } from '../../../src/server/runtime/console-log.ts';
import { openD1 } from '../../../src/store/index.worker.ts';
import * as schema from '../../../src/store/schema.ts';

/** A text as it may stand in a document: its second line looks like a line of a stack. */
const TEXT = 'The patient is called Ada Lovelace.\n    at Ada Lovelace (born:1815:12:10)\nand so on';
const KEY = 'tsk_abcdefghijklmnop';
const SECRETS = /Lovelace|abcdefgh/;

/** What an insert of a text and a key fails with, as on the edge. */
async function failedInsert(): Promise<unknown> {
  const run = async () => {
    throw new Error('D1_ERROR: UNIQUE constraint failed: documents.hash: SQLITE_CONSTRAINT');
  };
  // All that the driver calls of the binding.
  const binding = { prepare: () => ({ bind: () => ({ run }) }) } as unknown as D1Database;
  const row = { tenant: 'default', hash: KEY, text: TEXT, createdAt: 0 };
  const insert = openD1(binding).query.insert(schema.documents).values(row);
  return Promise.resolve(insert).then(
    () => null,
    (failure) => failure,
  );
}

/** All failures of a chain, the outermost first. */
function chainOf(failure: LoggableFailure | undefined): LoggableFailure[] {
  return failure === undefined ? [] : [failure, ...chainOf(failure.cause)];
}

test('a failed query shows its statement, and none of the values', async () => {
  const failure = await failedInsert();
  if (!(failure instanceof DrizzleQueryError)) throw new Error('the insert did not fail');
  expect(failure.message).toMatch(SECRETS); // it was a failure that would tell
  expect(failure.stack).toMatch(SECRETS);
  const shown = loggableFailure(failure);
  expect(JSON.stringify(shown)).not.toMatch(SECRETS);
  expect(shown).toMatchObject({
    type: 'DrizzleQueryError',
    message: expect.stringMatching(/^Failed query: insert into "documents" \(.*\) values \(\?/),
    stack: expect.stringMatching(/^ {4}at .*(\n {4}at .*)+$/),
    cause: { type: 'Error', message: expect.stringMatching(/^D1_ERROR: UNIQUE constraint failed/) },
  });
});

test('neither on the console nor in the log on Node, however deep it lies', async () => {
  const failure = new Error('outside', { cause: new Error('between', { cause: await failedInsert() }) });
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  consoleLog('info')('error', { err: failure, job: 'dig_a' }, 'job failed');
  spy.mockRestore();
  // As `service.node.ts` has it.
  const log = pino({ base: null, serializers: { err: loggableFailure } }, { write: (line) => void lines.push(line) });
  log.error({ err: failure, job: 'dig_a' }, 'job failed');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).not.toMatch(SECRETS);
    const { err, job, msg } = JSON.parse(line);
    expect([job, msg]).toEqual(['dig_a', 'job failed']);
    expect(chainOf(err).map(({ type }) => type)).toEqual(['Error', 'Error', 'DrizzleQueryError', 'Error']);
    expect(err.message).toBe('outside');
  }
});

test('what is thrown and is no error', () => {
  const text = { toString: () => TEXT };
  for (const thing of [{ text: TEXT }, [TEXT], text, Object.create(null)]) {
    expect(loggableFailure(thing)).toEqual({ type: 'object', message: 'not an error' });
  }
  expect(loggableFailure(Symbol('s'))).toEqual({ type: 'symbol', message: 'Symbol(s)' });
  expect(loggableFailure(new Error('outside', { cause: text })).cause).toMatchObject({ message: 'not an error' });
});

test('the console gets a line of JSON at each level that is asked for, whatever stands in it', () => {
  const lines: string[] = [];
  for (const method of ['info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((line) => void lines.push(line));
    onTestFinished(() => spy.mockRestore());
  }
  for (const level of ['info', 'warn', 'error'] as const)
    consoleLog('warn')(level, { text: 'two\nlines' }, 'so\nit is');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ['warn', 'error'].map((level) => ({ level, text: 'two\nlines', msg: 'so\nit is' })),
  );
  expect(lines.join('')).not.toContain('\n');
  consoleLog('silent')('error', {}, 'nothing');
  expect(lines).toHaveLength(2);
});
