import { describe, expect, test } from 'vitest';
import { createDigest, pointsOf, readDocuments, sentenceExtractor } from '../../src/digest/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { answered } from '../support/promises.ts';
import { testDeps } from '../support/test-deps.ts';

describe('extract once, personalise many (P9)', () => {
  test('a second intent over the same documents encodes the intent alone', async () => {
    const deps = testDeps();
    const { engine } = deps;
    const first = await createDigest({ documents: CITY, intent: CITY_INTENT }, deps);
    expect(first.usage).toMatchObject({ reusedExtractions: 0, reusedEncodings: 0 });
    expect(engine.extracted).toHaveLength(CITY.length);
    expect(engine.encoder.texts).toContain(CITY_INTENT);

    engine.extracted.length = 0;
    engine.encoder.calls.length = 0;
    const intent = 'When does the second tram line open?';
    const second = await createDigest({ documents: CITY, intent }, deps);
    expect(engine.extracted).toEqual([]);
    expect(engine.encoder.calls).toEqual([[intent]]);
    expect(second.usage).toMatchObject({ reusedExtractions: CITY.length, reusedEncodings: second.keyPoints.length });
    expect(answered(second)).toEqual(answered(await createDigest({ documents: CITY, intent }, testDeps())));
  });

  test('what a key point stands under is kept with it', async () => {
    const deps = testDeps();
    const documents = [{ id: 'faq', text: 'Q: Is the second tram line open?\nA: Not yet. It opens in May.' }];
    const extractor = sentenceExtractor(deps.engine);
    const read = async () => pointsOf(await readDocuments(documents, {}, extractor, deps, () => {}));
    const fresh = await read();
    expect(fresh.map(({ under }) => under)).toEqual([['Is the second tram line open?']]);
    expect(await read()).toEqual(fresh);
    expect(deps.engine.extracted).toHaveLength(1);
  });

  test('of new documents among old ones, the new ones alone are read', async () => {
    const deps = testDeps();
    const [old, added] = [CITY.slice(0, 4), CITY.slice(4)];
    const first = await createDigest({ documents: old }, deps);
    deps.engine.extracted.length = 0;
    deps.engine.encoder.calls.length = 0;
    const { usage, keyPoints } = await createDigest({ documents: CITY }, deps);
    expect([...deps.engine.extracted].sort()).toEqual(added.map(({ text }) => text).sort());
    expect(usage.reusedExtractions).toBe(old.length);
    const known = new Set(first.keyPoints.map(({ text }) => text));
    // One sentence of the tram company stood in the minutes already.
    const fresh = keyPoints.filter(({ text, document }) => added.some(({ id }) => id === document) && !known.has(text));
    expect([...deps.engine.encoder.texts].sort()).toEqual(fresh.map(({ text }) => text).sort());
  });

  test('another encoder reads the texts anew, and both are kept', async () => {
    const other = new HashedWordsEncoder({ id: 'hashed-words/2' });
    const deps = testDeps({ engine: new InProcessEngine({ other }) });
    const request = { documents: CITY, intent: CITY_INTENT };
    await createDigest(request, deps);
    const asked = { ...request, selection: { relevance: { encoder: 'other' } } };
    const { engine } = await createDigest(asked, deps);
    expect(engine).toMatchObject({ encoder: 'hashed-words/1', relevanceEncoder: 'hashed-words/2' });
    expect(other.texts.length).toBeGreaterThan(20);
    other.calls.length = 0;
    deps.engine.encoder.calls.length = 0;
    await createDigest(asked, deps);
    expect(other.calls).toEqual([[CITY_INTENT]]);
    expect(deps.engine.encoder.calls).toEqual([]);
  });
});

test('one text is never in two batches of one request, and batches stay small', async () => {
  const deps = testDeps();
  const documents = Array.from({ length: 40 }, (_, i) => ({
    id: `d${i}`,
    text: `Station ${i} sells ${3 * i} tickets a day. Line ${i} carries ${7 * i} commuters. The network is old.`,
  }));
  await createDigest({ documents }, deps);
  const { texts, calls } = deps.engine.encoder;
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBe(81);
  expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(32);
});

test('progress of every stage ends with all done', async () => {
  const ends = new Map<string, number[]>();
  await createDigest({ documents: CITY, intent: CITY_INTENT }, testDeps(), {
    onProgress: ({ stage, done, total }) => {
      expect(done).toBeLessThanOrEqual(total);
      ends.set(stage, [done, total]);
    },
  });
  expect([...ends.keys()]).toEqual(expect.arrayContaining(['extract', 'encode', 'rank', 'select']));
  for (const [done, total] of ends.values()) expect(done).toBe(total);
});
