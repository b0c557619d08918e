import { expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../../support/scripted-model-server.ts';
import { call, failureOf, scriptedModel } from './scripted-model.ts';

const TEXT = 'Night trams run: 👩‍🚒 «ж» every hour.\nAnd on Sundays too.';

/** A call with what it was told, restarts as null. */
function listening() {
  const told: (string | null)[] = [];
  const listener = { onText: (piece: string) => told.push(piece), onRestart: () => told.push(null) };
  return { told, call: call(listener) };
}

// The first of its file: the SDK keeps the console as it finds it.
test('what cannot be read is not written to the console', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => told.mockRestore());
  const { model } = await scriptedModel([{ raw: 'data: {"choi\n\n', contentType: 'text/event-stream' }]);
  await failureOf(model.complete(listening().call));
  expect(told).not.toHaveBeenCalled();
});

test('a streamed answer is the one that is not streamed, in pieces', async () => {
  const { model, server } = await scriptedModel([{ text: TEXT, finish: 'length' }]);
  const { told, call: streamed } = listening();
  const answer = await model.complete(streamed);
  expect(answer).toEqual(await model.complete(call()));
  expect(told.length).toBeGreaterThan(2);
  expect(told.join('')).toBe(TEXT);
  expect(server.requests.map(({ body }) => [body.stream, body.stream_options])).toEqual([
    [true, { include_usage: true }],
    [false, undefined],
  ]);
});

test.each<[string, Reply]>([
  ['breaks', { reset: true, text: 'Night tr' }],
  ['ends without its end', { text: 'Night tr', finish: null }],
  [
    'tells an error',
    {
      raw: stream({ choices: [{ delta: { content: 'Night tr' } }] }, { error: { message: 'x' } }),
      contentType: 'text/event-stream',
    },
  ],
  [
    'turns into something else',
    {
      raw: stream({ choices: [{ delta: { content: 'Night tr' } }] }, { choices: 3 }),
      contentType: 'text/event-stream',
    },
  ],
])('a stream that %s is begun again, which the listener is told', async (_, cut) => {
  const { model } = await scriptedModel([cut, { text: TEXT }]);
  const { told, call: streamed } = listening();
  expect(await model.complete(streamed)).toMatchObject({ text: TEXT, usage: { requests: 2 } });
  expect(told.slice(0, told.indexOf(null)).join('')).toBe('Night tr');
  expect(told.slice(told.indexOf(null) + 1).join('')).toBe(TEXT);
});

test.each<[string, Reply, string]>([
  ['breaks', { reset: true, text: 'Night tr' }, 'unreachable'],
  ['ends early', { text: 'Night tr', finish: null }, 'unreachable'],
  ['is another schema', { raw: stream({ choices: 3 }), contentType: 'text/event-stream' }, 'malformed'],
  ['is no JSON', { raw: 'data: {"choi\n\n', contentType: 'text/event-stream' }, 'malformed'],
  [
    'tells an error',
    { raw: stream({ error: { code: 'rate_limit_exceeded' } }), contentType: 'text/event-stream' },
    'rate-limited',
  ],
])('a stream that always %s fails after three attempts', async (_, bad, failure) => {
  const { model } = await scriptedModel([bad]);
  const error = await failureOf(model.complete(listening().call));
  expect(error).toMatchObject({ failure, usage: { requests: 3 } });
});

test.each(['open', 'broken'] as const)(
  'a stream whose end is %s after that of the answer has answered',
  async (end) => {
    const raw = stream({ choices: [{ delta: { content: TEXT }, finish_reason: 'stop' }] }).replace(
      'data: [DONE]\n\n',
      '',
    );
    const { model } = await scriptedModel([{ raw, contentType: 'text/event-stream', end }], {
      callMilliseconds: 2_000,
    });
    expect(await model.complete(listening().call)).toMatchObject({ text: TEXT, isCut: false, usage: { requests: 1 } });
  },
);

test('what a listener throws is thrown, and the call is not made again', async () => {
  const { model, server } = await scriptedModel([{ text: TEXT }]);
  const mistake = new TypeError('a mistake of the listener');
  const answer = model.complete(
    call({
      onText: () => {
        throw mistake;
      },
    }),
  );
  await expect(answer).rejects.toBe(mistake);
  expect(server.requests).toHaveLength(1);
});

/** The body of a stream with these parts. */
function stream(...parts: unknown[]): string {
  return [...parts.map((part) => JSON.stringify(part)), '[DONE]'].map((part) => `data: ${part}\n\n`).join('');
}
