import { expect } from 'vitest';
import { type Digest, digestSchema, shortened } from '../../src/contract/index.ts';
import { createDigest, type ResolvedRequest } from '../../src/digest/index.ts';
import { answered, expectSound } from './promises.ts';
import type { TestApp } from './test-deps.ts';

/**
 * Asks for a digest over HTTP and holds it to everything that is promised of any digest. JSON writes NaN as null, so that
 * the same digest is made once more without HTTP and compared.
 */
export async function digestOf({ app, post, parts }: TestApp, request: ResolvedRequest): Promise<Digest> {
  const response = await post('/v1/digests?include=receipts', request);
  const json = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(201);
  const digest = digestSchema.parse(json) as Digest;
  expect(digest).toEqual(json);
  const short = await (await app.request(`/v1/digests/${digest.id}`)).json();
  expect(short).toEqual(shortened(digest).digest);
  const again = await createDigest(request, parts);
  expectSound(again, request.documents);
  expect(answered(digest)).toEqual(answered(again));
  return digest;
}
