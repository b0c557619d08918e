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

test.each([
  ['nothing', ''],
  ['an open brace', '{'],
  ['a field without a value', '{"documents":'],
  ['a comma too many', '{"documents":[],}'],
  ['undefined', 'undefined'],
  ['NaN', 'NaN'],
  ['single quotes', "{'documents':[]}"],
  ['NUL', '\0'],
  ['a hundred thousand open brackets', '['.repeat(100_000)],
])('malformed JSON: %s', async (_, body) => {
  const { post, parts } = testApp();
  for (const path of ['/v1/digests', '/v1/key-points'])
    await expectProblem(await post(path, body), 400, 'malformed-json');
  expect(parts.errors).toEqual([]);
});

test('a body over the limit, announced or not', async () => {
  const { app, parts } = testApp({ maxBodyBytes: 1000 });
  const body = JSON.stringify({ documents: [{ id: 'a', text: 'x'.repeat(1000) }] });
  const headers = { 'content-type': 'application/json' };
  const announced = { ...headers, 'content-length': String(body.length) };
  const problem = await expectProblem(
    await app.request('/v1/digests', { method: 'POST', headers: announced, body }),
    413,
    'body-too-large',
  );
  expect(problem.detail).toContain('1000 bytes');
  const stream = new Request('http://localhost/v1/digests', {
    method: 'POST',
    headers,
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
  await expectProblem(await app.request(stream), 413, 'body-too-large');
  expect(parts.engine.extracted).toEqual([]);

  const small = JSON.stringify({ documents: [{ id: 'a', text: 'The charge rises in May.' }] });
  expect((await app.request('/v1/digests', { method: 'POST', headers, body: small })).status).toBe(201);
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

test('a database that is gone: 500, reported', async () => {
  const { app, post, parts } = testApp();
  parts.database.close();
  await expectProblem(await post('/v1/digests', { documents: CITY }), 500, 'internal-error');
  await expectProblem(await app.request('/v1/digests/x'), 500, 'internal-error');
  expect(parts.errors.map(({ path }) => path)).toEqual(['/v1/digests', '/v1/digests/x']);
});
