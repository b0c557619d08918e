import { expect, test } from 'vitest';
import { digestOf } from '../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

const told = (warnings: readonly string[]) =>
  warnings.filter((each) => each.startsWith('Low relevance makes the draw'));

test('a digest by the published preset tells of a draw that low relevance makes small, with both sizes', async () => {
  const app = testApp();
  const drawn = (relevance: object, intent?: string) =>
    digestOf(app, {
      documents: CITY,
      ...(intent !== undefined && { intent }),
      selection: { preset: 'published', relevance },
    });
  const small = await drawn({}, 'How heavy are neutron stars?');
  const alike = await drawn({});
  const sizes = [small, alike].map(({ selection }) => selection.expectedSize?.toFixed(1));
  expect(told(small.warnings)).toEqual([
    expect.stringContaining(`${sizes[0]} of ${small.keyPoints.length} key points are expected, ${sizes[1]} without`),
  ]);
  expect(told(alike.warnings)).toEqual([]);
  expect(told((await drawn({ form: 'exponential' }, CITY_INTENT)).warnings)).toEqual([]);
});

test.each([{}, { draws: 3 }])('so does a selection: %o', async (more) => {
  const { post } = testApp();
  const embeddings = Array.from({ length: 12 }, (_, i) => Array.from({ length: 12 }, (_, c) => Number(i === c)));
  const selection = { preset: 'published', kernel: { similarity: 'cosine' } };
  const warnings = async (score: number) => {
    const relevanceScores = embeddings.map(() => score);
    const response = await post('/v1/selections', { embeddings, relevanceScores, selection, ...more });
    const { warnings: all } = (await response.json()) as { readonly warnings: readonly string[] };
    return all;
  };
  expect(told(await warnings(0.1))).toHaveLength(1);
  expect(told(await warnings(0.9))).toEqual([]);
});
