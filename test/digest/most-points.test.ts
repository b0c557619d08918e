import { expect, test } from 'vitest';
import { createDigest } from '../../src/digest/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testParts } from '../support/test-parts.ts';

const request = { documents: CITY, intent: CITY_INTENT };

test('documents with more key points than are reckoned with are refused by number, and nothing is encoded', async () => {
  const all = (await createDigest(request, testParts())).keyPoints.length;
  const parts = { ...testParts(), mostPoints: all - 1 };
  await expect(createDigest(request, parts)).rejects.toMatchObject({
    code: 'limit-exceeded',
    pointer: '/documents',
    message: `hold ${all} key points together; at most ${all - 1} go into a digest`,
  });
  expect(parts.engine.encoder.calls).toEqual([]);
  expect((await createDigest(request, { ...testParts(), mostPoints: all })).keyPoints).toHaveLength(all);
});
