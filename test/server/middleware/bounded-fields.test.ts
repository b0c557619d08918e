import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countFields, MAX_FIELDS } from '../../../src/server/middleware/bodies.ts';
import { testApp } from '../../support/test-deps.ts';

/** Fields of a value, counted in the value itself. */
function fieldsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + fieldsOf(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + 1 + fieldsOf(each), 0);
}

test('counts the fields of any JSON, however it is laid out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.dictionary(fc.string(), fc.constantFrom('":', '\\', 'a"b":', '\\":')),
      ),
      fc.constantFrom(undefined, 1, '\t', '  '),
      async (value, space) => {
        const json = JSON.stringify(value, null, space);
        expect(await countFields(json, Number.POSITIVE_INFINITY)).toBe(fieldsOf(JSON.parse(json)));
      },
    ),
    { seed: 8, numRuns: 500 },
  );
});

test('text that is no JSON is counted too, and ends', async () => {
  for (const text of ['', '"', '"\\', '"a":"', '{"a": "\\"', '""""""":', '\\"a":'])
    expect(await countFields(text, 10)).toBeLessThan(3);
});

test('a body of too many fields is refused before it is parsed, one of many documents is not', async () => {
  const { post } = testApp();
  const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"field${i}":1`).join()}}`;
  const refused = await post('/v1/digests', fields(MAX_FIELDS + 1));
  expect([refused.status, await refused.json()]).toMatchObject([422, { type: 'urn:tessera:problem:too-many-fields' }]);
  expect(await (await post('/v1/digests', fields(MAX_FIELDS))).json()).toMatchObject({
    type: 'urn:tessera:problem:invalid-request',
  });
});
