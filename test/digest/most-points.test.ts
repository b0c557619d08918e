import { expect, test } from 'vitest';
import { createDigest } from '../../src/digest/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testDeps } from '../support/test-deps.ts';

const request = { documents: CITY, intent: CITY_INTENT };

test('documents with more key points than are reckoned with are refused by number, and nothing is encoded', async () => {
  const all = (await createDigest(request, testDeps())).keyPoints.length;
  const deps = { ...testDeps(), maxPoints: all - 1 };
  await expect(createDigest(request, deps)).rejects.toMatchObject({
    code: 'limit-exceeded',
    pointer: '/documents',
    message: `hold ${all} key points together; at most ${all - 1} go into a digest`,
  });
  expect(deps.engine.encoder.calls).toEqual([]);
  expect((await createDigest(request, { ...testDeps(), maxPoints: all })).keyPoints).toHaveLength(all);
});
