import { describe, expect, test } from 'vitest';
import type { Progress } from '../../src/contract/index.ts';
import type { Extraction } from '../../src/digest/engine.ts';
import { singleFlight } from '../../src/digest/extract/read-documents.ts';
import { createDigest, pointsOf, readDocuments, sentenceExtractor } from '../../src/digest/index.ts';
import { storeCache } from '../../src/store/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { answered } from '../support/promises.ts';
import { memoryDatabase, testDeps } from '../support/test-deps.ts';

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

test('work asked for at the same time is done once', async () => {
  const database = memoryDatabase();
  let done = 0;
  const work = async () => ++done;
  expect(await Promise.all([1, 2, 3].map(() => singleFlight(storeCache(database), 'a', work)))).toEqual([1, 1, 1]);
  expect(await singleFlight(storeCache(database), 'a', work)).toBe(2);
  expect(await Promise.all(['a', 'b'].map((key) => singleFlight(storeCache(database), key, work)))).toEqual([3, 4]);
  expect(
    await Promise.all([database, memoryDatabase()].map((each) => singleFlight(storeCache(each), 'a', work))),
  ).toEqual([5, 6]);
});

test('who waits for work that fails does it again, one after the other', async () => {
  const database = memoryDatabase();
  let done = 0;
  const work = async () => {
    done++;
    if (done === 1) throw new Error('gone');
    return done;
  };
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => singleFlight(storeCache(database), 'a', work)));
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    'gone',
    2,
    2,
  ]);
});

const DISTRICTS = Array.from({ length: 4 }, (_, d) => ({
  id: `d${d}`,
  text: Array.from(
    { length: 12 },
    (_, i) => `District ${d} counted ${100 + i} new trees in year ${i} of the plan.`,
  ).join(' '),
}));

/** Reads the last document only when `isDue`. */
class PatientEngine extends InProcessEngine {
  isDue = (): boolean => true;

  override async extract(text: string): Promise<Extraction> {
    if (text === DISTRICTS[3].text) while (!this.isDue()) await new Promise((resolve) => setTimeout(resolve, 2));
    return super.extract(text);
  }
}

test('what one document states is encoded while the next is read, and the digest is the same', async () => {
  const engine = new PatientEngine();
  engine.isDue = () => engine.encoder.texts.length > 0; // else the test never ends
  const events: Progress[] = [];
  const digest = await createDigest({ documents: DISTRICTS }, testDeps({ engine }), {
    onProgress: (event) => events.push(event),
  });
  expect(answered(digest)).toEqual(answered(await createDigest({ documents: DISTRICTS }, testDeps())));
  expect(digest.usage).toMatchObject({ reusedExtractions: 0, reusedEncodings: 0 });
  // Stages are told one after the other, whatever runs beside them.
  const stages = events.map(({ stage }) => stage);
  expect(stages.lastIndexOf('extract')).toBeLessThan(stages.indexOf('encode'));
  const encoded = events.filter(({ stage }) => stage === 'encode');
  expect(encoded.at(-1)).toMatchObject({ done: digest.keyPoints.length, total: digest.keyPoints.length });
});
