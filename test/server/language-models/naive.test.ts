import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { dataIn, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { callsOf, modelApp, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';

const request = { documents: NOTES, intent: NOTES_INTENT, selection: { strategy: 'naive' } } as const;
function selectedIn({ keyPoints }: Digest): string[] {
  return keyPoints.filter(({ selected }) => selected).map(({ text }) => text);
}

describe('one prompt over the documents', () => {
  test.each([
    ['with an intent', CITY_INTENT],
    ['without one', undefined],
  ])('%s makes the digest: what it quotes becomes the key points', async (_, intent) => {
    const asked = { ...request, documents: CITY, intent };
    const app = await modelApp(good);
    const digest = await app.digest(asked);
    const { digest: streamed } = await (await modelApp(good)).streamed(asked);
    expect(callsOf(app.server)).toEqual({ naive: 1 });
    expect(answered(streamed)).toEqual(answered(digest));
    expect(digest).toMatchObject({
      status: 'completed',
      warnings: [],
      selection: { strategy: 'naive', gate: { dropped: 0 } },
    });
    expect(digest.engine).toMatchObject({ writer: 'naive', extractor: expect.stringMatching(/^naive@\d+\/m\//) });
    expect(Object.keys(digest.prompts)).toEqual(['naive']);
    expect(digest.writing).toMatchObject({ drafted: 12, kept: 12, replaced: 0, added: 0 });
    expect(selectedIn(digest)).toHaveLength(digest.keyPoints.length);
    expect(dataIn(app.server.requests[0], 'question').map(({ text }) => text)).toEqual(
      intent === undefined ? [] : [intent],
    );
    expect(dataIn(app.server.requests[0], 'document')).toHaveLength(CITY.length);
  });
});

test('documents that do not fit the prompt are shown from their beginnings, each as far as the other', async () => {
  const text = (name: string) =>
    Array.from({ length: 300 }, (_, i) => `The ${name} office opened branch ${i} in street ${i * 7}.`).join(' ');
  const app = await modelApp(good, { model: { contextTokens: 8_000 } });
  const documents = ['north', 'south'].map((id) => ({ id, text: text(id) }));
  const digest = await app.digest({ ...request, documents, intent: 'Where did branch 299 open?' });
  expect(digest.warnings).toContainEqual(expect.stringMatching(/^\d+ passages of the documents did not fit/));
  const shown = dataIn(app.server.requests[0], 'document').map((each) => each.text);
  expect(shown).toHaveLength(2);
  for (const each of shown) {
    expect(each).toContain('opened branch 0 ');
    expect(each).not.toContain('branch 299');
    expect(Math.abs(each.length - shown[0].length)).toBeLessThan(2000);
  }
  expect(Buffer.byteLength(shown.join(''))).toBeLessThan(0.55 * 8_000 * 4);
});

describe('every key point', () => {
  test('a part that fails leaves the others', async () => {
    const sentences = Array.from(
      { length: 250 },
      (_, i) => `Workshop ${i} repairs ${i + 3} bicycles in street ${i * 7} on market days.`,
    );
    const script = goodBut(['write'], (sent) =>
      givenPoints(sent)
        .flat()
        .some(({ number }) => number === 1)
        ? { status: 500 }
        : good(sent),
    );
    const app = await modelApp(script, { model: { contextTokens: 64_000 } });
    const { digest } = await app.streamed({
      documents: [{ id: 'many', text: sentences.join(' ') }],
      selection: { strategy: 'all' },
      summary: { maxWords: null },
      engine: { extractor: 'sentences', writer: 'llm' },
    });
    expect(callsOf(app.server)).toEqual({ write: 4 });
    expect(digest).toMatchObject({ status: 'partial', engine: { writer: 'llm' } });
    expect(digest.writing?.added).toBeGreaterThan(0);
    expect(digest.writing?.kept).toBeGreaterThan(0);
  });
});
