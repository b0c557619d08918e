import { expect, test } from 'vitest';
import { digestSchema } from '../../src/contract/index.ts';
import { testApp } from '../support/test-deps.ts';

const background = 'I like mills. The mill stands by the river.';

test.each([
  ['a document without a statement', { id: 'a', text: '.' }, {}],
  [
    'documents outside the window',
    { id: 'a', text: 'The mill closed.', publishedAt: '2020-01-01' },
    { publishedAfter: '2021-01-01' },
  ],
])('a background beside %s does no harm', async (_, document, window) => {
  const { post } = testApp();
  const intent = { problem: 'Why did the mill close?', background, ...window };
  for (const similarity of ['bertscore', 'cosine']) {
    const response = await post('/v1/digests', {
      documents: [document],
      intent,
      selection: { kernel: { similarity } },
    });
    expect(response.status).toBe(201);
    const { keyPoints, summary } = digestSchema.parse(await response.json());
    expect(keyPoints).toEqual([]);
    expect(summary.sentences).toHaveLength(1);
  }
});
