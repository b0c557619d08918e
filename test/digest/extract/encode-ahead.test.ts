import { expect, test } from 'vitest';
import type { Progress } from '../../../src/contract/index.ts';
import type { Extraction } from '../../../src/digest/engine.ts';
import { createDigest } from '../../../src/digest/index.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { answered } from '../../support/promises.ts';
import { testDeps } from '../../support/test-deps.ts';

const documents = Array.from({ length: 4 }, (_, d) => ({
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
    if (text === documents[3].text) while (!this.isDue()) await new Promise((resolve) => setTimeout(resolve, 2));
    return super.extract(text);
  }
}

test('what one document states is encoded while the next is read, and the digest is the same', async () => {
  const engine = new PatientEngine();
  engine.isDue = () => engine.encoder.texts.length > 0; // else the test never ends
  const events: Progress[] = [];
  const digest = await createDigest({ documents }, testDeps({ engine }), { onProgress: (event) => events.push(event) });
  expect(answered(digest)).toEqual(answered(await createDigest({ documents }, testDeps())));
  expect(digest.usage).toMatchObject({ reusedExtractions: 0, reusedEncodings: 0 });
  // Stages are told one after the other, whatever runs beside them.
  const stages = events.map(({ stage }) => stage);
  expect(stages.lastIndexOf('extract')).toBeLessThan(stages.indexOf('encode'));
  const encoded = events.filter(({ stage }) => stage === 'encode');
  expect(encoded.at(-1)).toMatchObject({ done: digest.keyPoints.length, total: digest.keyPoints.length });
});

test('where nobody waits any more, nothing further is encoded', async () => {
  const engine = new PatientEngine();
  const controller = new AbortController();
  engine.isDue = () => controller.signal.aborted;
  const deps = testDeps({ engine });
  const made = createDigest({ documents }, deps, {}, controller.signal);
  const ended = expect(made).rejects.toThrow();
  while (engine.encoder.texts.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  controller.abort();
  await ended;
  const begun = engine.encoder.texts.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(engine.encoder.texts.length).toBeLessThanOrEqual(begun + 16);
  expect(begun).toBeLessThan(48);
});
