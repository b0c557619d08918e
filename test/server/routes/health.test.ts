import { expect, test } from 'vitest';
import { readinessSchema } from '../../../src/contract/index.ts';
import { testApp } from '../../support/test-deps.ts';

test('/readyz names the engine', async () => {
  const response = await testApp().app.request('/readyz');
  expect(response.status).toBe(200);
  const json = await response.json();
  expect(readinessSchema.parse(json)).toEqual({
    status: 'ready',
    encoder: 'hashed-words',
    encoders: ['hashed-words'],
    matrix: 'portable',
    rerankers: [],
    verifiers: [],
    languageModel: null,
    extractor: 'sentences',
    writer: 'compose',
  });
});

test('/readyz answers 500 and reports it where the database does not answer', async () => {
  const { app, parts } = testApp();
  parts.database.close();
  const response = await app.request('/readyz');
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(parts.errors).toMatchObject([{ method: 'GET', path: '/readyz' }]);
  expect((await app.request('/healthz')).status).toBe(200);
});
