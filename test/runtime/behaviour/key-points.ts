import { expect } from 'vitest';
import type { KeyPoints } from '../../../src/client/client.ts';
import { keyPointsSchema } from '../../../src/contract/index.ts';
import { MANY_SCRIPTS } from '../documents.ts';
import { type Suite, told } from '../service.ts';

/** Extraction alone. */
export const keyPoints: Suite = (holds) => {
  holds('key points with exact quotes and who said them', async ({ post, runtime }) => {
    const calls = runtime.ai.calls;
    const json = await told<KeyPoints>(post('/v1/key-points', { documents: MANY_SCRIPTS }));
    expect(keyPointsSchema.parse(json)).toEqual(json);
    const texts = new Map(MANY_SCRIPTS.map(({ id, text }) => [id, text]));
    for (const { document, quote } of json.keyPoints) {
      expect(texts.get(document)?.slice(Number(quote.start), Number(quote.end))).toBe(quote.text);
    }
    expect(Object.fromEntries(json.documents.map(({ id, status }) => [id, status]))).toEqual(
      Object.fromEntries(MANY_SCRIPTS.map(({ id }) => [id, id === 'blank' ? 'empty' : 'ok'])),
    );
    const said = json.keyPoints.filter(({ document }) => document === 'speakers').map(({ speaker }) => speaker);
    expect(said).toEqual(expect.arrayContaining(['MAYOR', 'RESIDENT']));
    expect(runtime.ai.calls).toBe(calls);
  });

  holds('a digest has the same points under the same ids, and reads nothing again', async ({ post, digest }) => {
    const documents = [{ id: 'own', text: 'The pier was painted green. The paint came off in June.' }];
    const alone = await told<KeyPoints>(post('/v1/key-points', { documents }));
    const made = await digest({ documents });
    expect(made.keyPoints.map(({ id }) => id)).toEqual(alone.keyPoints.map(({ id }) => id));
    expect(made.usage.reusedExtractions).toBe(1);
  });
};
