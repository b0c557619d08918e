import { expect, test } from 'vitest';
import { testApp } from '../../support/test-deps.ts';

test('a method that an address does not have is answered with those that it has', async () => {
  const { app } = testApp();
  for (const [method, path, allow] of [
    ['DELETE', '/v1/digests', 'GET, POST, HEAD'],
    ['POST', '/v1/digests/dig_1', 'GET, DELETE, HEAD'],
    ['GET', '/v1/selections', 'POST'],
    ['PATCH', '/v1/collections/col_1/documents/a', 'GET, PUT, DELETE, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ]) {
    const answer = await app.request(path, { method });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
    expect(await answer.json()).toMatchObject({ type: 'urn:tessera:problem:method-not-allowed' });
  }
  expect((await app.request('/v1/nothing', { method: 'DELETE' })).status).toBe(404);
  expect((await app.request('/healthz', { method: 'HEAD' })).status).toBe(200);
});

test('a host that makes no URL is refused, not an error of the service', async () => {
  const { app, parts } = testApp();
  const request = new Request('http://localhost/v1/digests');
  Object.defineProperty(request, 'url', { value: 'http://127.999.999.999/v1/digests' });
  const answer = await app.fetch(request);
  expect([answer.status, parts.errors]).toEqual([400, []]);
});

test('answers of the API are private', async () => {
  const { app } = testApp();
  for (const path of ['/v1/digests', '/v1/digests/dig_none']) {
    const { headers } = await app.request(path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  }
});
