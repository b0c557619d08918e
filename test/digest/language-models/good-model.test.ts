import { describe, expect, test } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { askedIn, good } from '../../support/good-model.ts';
import { modelApp } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';

const TEN = Array.from({ length: 10 }, (_, i) => ({
  id: `d${i}`,
  text: `District ${i} opened ${i + 2} new playgrounds for children in spring. The gardens of district ${i} close at ${i + 12} each evening. Parents of district ${i} ask for more shade.`,
}));

const TEN_INTENT = 'What do parents of the districts ask for, and when do gardens close?';

describe.each(['report', 'bullets'] as const)('as %s', (format) => {
  test.each([
    ['six documents and an intent', CITY, CITY_INTENT],
    ['six documents', CITY, undefined],
    ['ten documents and an intent', TEN, TEN_INTENT],
    ['ten documents', TEN, undefined],
  ])(
    'of what a good model writes of %s nine tenths are kept word for word, and nothing is replaced',
    async (_, documents, intent) => {
      const selection = { size: { keyPoints: 12 } };
      const asked = { documents, selection, summary: { format }, ...(intent !== undefined && { intent }) };
      const app = await modelApp(good);
      const digest = await app.digest(asked);
      const { drafted = 0, kept = 0, ...rest } = digest.writing ?? {};
      expect(drafted).toBeGreaterThan(4);
      expect(kept).toBeGreaterThanOrEqual(0.9 * drafted);
      expect(rest).toMatchObject({ replaced: 0, uncited: 0, repeated: 0, added: 0 });
      expect(digest.status).toBe('completed');
      expect(digest.summary.sentences.every(({ framing, support }) => (support === null) === framing)).toBe(true);
      expect(app.server.requests.map(askedIn).filter((each) => !each.startsWith('extract'))).toEqual(['write']);
      const { digest: streamed } = await (await modelApp(good)).streamed(asked);
      expect(answered(streamed)).toEqual(answered(digest));
    },
  );
});

test.each([
  [4, 4],
  [100, 10],
])('ten documents are read at once, %s calls at most', async (concurrency, atOnce) => {
  const app = await modelApp((asked) => ({ ...good(asked), delay: askedIn(asked) === 'extract' ? 250 : 0 }), {
    model: { concurrency },
  });
  await app.digest({ documents: TEN });
  expect(app.server.maxInFlight).toBe(atOnce);
  const read = app.server.requests.filter((asked) => askedIn(asked) === 'extract');
  expect(read).toHaveLength(10);
});
