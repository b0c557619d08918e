import { expect, test } from 'vitest';
import { evaluationAnswerSchema } from '../../../src/evaluation/index.ts';
import { modelApp } from '../../support/model-app.ts';

const REQUEST = {
  metric: 'summhay',
  judge: 'llm',
  bullets: ['Trams run at night. [a]', 'Fares rise. [b]'],
  insights: [
    { id: 'trams', text: 'Night trams run.', documents: ['a'] },
    { id: 'fares', text: 'Fares rise in May.', documents: ['a', 'b'] },
  ],
};
const PARTIAL = { text: JSON.stringify({ coverage: 'PARTIAL', bullet: 1 }) };

/** A request that its caller gives up. */
function leaving(headers: Readonly<Record<string, string>> = {}): { readonly sent: Request; leave(): void } {
  const caller = new AbortController();
  const sent = new Request('http://localhost/v1/evaluations', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(REQUEST),
    signal: caller.signal,
  });
  return { sent, leave: () => caller.abort() };
}

test('a language model judges, and what it judged before is not asked again', async () => {
  const { post, parts, server } = await modelApp(() => PARTIAL);
  const score = async (request: object) => {
    const response = await post('/v1/evaluations', request);
    const json = await response.json();
    expect(response.status, JSON.stringify(json)).toBe(200);
    expect(evaluationAnswerSchema.parse(json)).toEqual(json);
    return Object(json);
  };
  const engine = { model: 'm', stages: { judge: { temperature: 0, seed: 7 } } };
  const first = await score({ ...REQUEST, engine });
  expect(first).toMatchObject({
    coverage: 50,
    insights: [{ coverage: 50 }, { coverage: 50 }],
    judge: { name: 'llm', encoder: null, model: { model: 'm', temperature: 0, seed: 7 } },
    usage: { requests: 2, reusedVerdicts: 0 },
  });
  expect(first.usage.cost).toBeGreaterThan(0);
  expect(server.requests).toHaveLength(2);
  const again = await score({ ...REQUEST, engine });
  expect(again).toEqual({ ...first, usage: { ...again.usage, requests: 0, cost: 0, reusedVerdicts: 2 } });
  expect(server.requests).toHaveLength(2);
  expect(parts.errors).toEqual([]);
});

test('a model that fails fails the evaluation, which says so', async () => {
  const { post } = await modelApp(() => ({ status: 401, error: { message: 'Wrong key' } }));
  const response = await post('/v1/evaluations', REQUEST);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ type: 'urn:tessera:problem:model-call-failed' });
});

test('a prompt that is for something else is refused where it is named', async () => {
  const { post } = await modelApp(() => PARTIAL);
  const response = await post('/v1/evaluations', { ...REQUEST, engine: { stages: { judge: { prompt: 'write' } } } });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ pointer: '/engine/stages/judge/prompt' }] });
});

test('who hangs up ends the calls, and nothing is reported as a failure', async () => {
  const { app, parts, server } = await modelApp(() => ({ hang: 'before-headers' }));
  const { sent, leave } = leaving();
  const answer = app.request(sent);
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  leave();
  expect((await answer).status).toBe(499);
  await expect.poll(() => server.requests.every(({ timeOut }) => timeOut !== null)).toBe(true);
  expect(parts.errors).toEqual([]);
});

test('unless there is a key, with which the caller may come back for the answer', async () => {
  let answered: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const { app, post, server } = await modelApp(async () => {
    await held;
    return PARTIAL;
  });
  const key = { 'idempotency-key': 'k-1' };
  const { sent, leave } = leaving(key);
  const answer = app.request(sent);
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  leave();
  answered?.();
  expect((await answer).status).toBe(200);
  const replay = await post('/v1/evaluations', REQUEST, key);
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(server.requests).toHaveLength(2);
});
