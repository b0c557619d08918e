import { expect, test } from 'vitest';
import { problemSchema } from '../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { testApp } from '../support/test-deps.ts';

async function expectProblem(response: Response, status: number, code: string) {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const json = await response.json();
  const problem = problemSchema.parse(json);
  expect(problem).toEqual(json);
  expect(problem).toMatchObject({ type: `urn:tessera:problem:${code}`, status });
  expect(response.status).toBe(status);
  return problem;
}

test('a body over the limit that does not say its length', async () => {
  const { app, parts } = testApp({ maxBodyBytes: 1000 });
  const body = JSON.stringify({ documents: [{ id: 'a', text: 'x'.repeat(1000) }] });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' };
  const stream = new Request('http://localhost/v1/digests', {
    ...init,
    body: new Blob([body]).stream(),
  } as RequestInit);
  expect((await expectProblem(await app.request(stream), 413, 'body-too-large')).detail).toContain('1000 bytes');
  expect(parts.engine.extracted).toEqual([]);
});

test('a failure nobody foresaw: 500 that says nothing of it, and is reported', async () => {
  const engine = new InProcessEngine();
  const { app, post, parts } = testApp({ engine });
  const secret = new Error('SQLITE_CORRUPT at /var/secret: The council approved');
  const { select } = engine;
  engine.select = async () => {
    throw secret;
  };
  const request = { documents: CITY, intent: CITY_INTENT };
  const response = await post('/v1/digests', request);
  const problem = await expectProblem(response, 500, 'internal-error');
  expect(JSON.stringify(problem)).not.toMatch(/SQLITE|secret|council/i);
  expect([...response.headers].flat().join(' ')).not.toMatch(/SQLITE|secret/i);
  // It is told of once, as the failure of the job that the caller waited for.
  expect(parts.jobFailures).toEqual([{ failure: secret, id: expect.stringMatching(/^dig_[0-9a-f]{32}$/) }]);
  expect(parts.errors).toEqual([]);
  const [stored] = await parts.database.query.query.jobs.findMany();
  expect(stored).toMatchObject({ state: 'failed', attempt: 1 });
  expect(JSON.stringify(stored)).not.toMatch(/SQLITE|secret|council/i);

  engine.select = select;
  expect((await post('/v1/digests', request)).status).toBe(201);
  expect((await app.request('/healthz')).status).toBe(200);
  expect(parts.jobFailures).toHaveLength(1);
});
