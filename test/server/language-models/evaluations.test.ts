import { expect, test } from 'vitest';
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
