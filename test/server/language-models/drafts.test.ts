import { describe, expect, test } from 'vitest';
import type { SelectionRequest } from '../../../src/contract/index.ts';
import { askedIn, dataIn, good, goodBut } from '../../support/good-model.ts';
import { modelApp, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';

const LIE = 'The mayor resigned on Friday over 12 million dollars.';
const TRUE = 'Residents pay half the charge.';

/** A model that writes a true sentence, a false one, one without a source, and more. */
const draft = `${TRUE} [1]\n\n${LIE} [2]\n* Nobody says so.\nLEFT OUT: the rest`;
const lying = goodBut(['write', 'write-again', 'naive'], (sent) => {
  if (askedIn(sent) !== 'naive') return { text: draft };
  const number = dataIn(sent, 'document').find(({ text }) => text.includes(TRUE))?.number ?? 99;
  const sentences = [TRUE, LIE].map((text) => ({ text, quotes: [{ document: number, quote: TRUE }] }));
  return { text: JSON.stringify({ sentences: [...sentences, { text: 'Nobody says so.', quotes: [] }] }) };
});

const asking = (selection: SelectionRequest, writer: 'llm' | 'compose' = 'llm') => ({
  documents: NOTES,
  intent: NOTES_INTENT,
  selection,
  engine: { extractor: 'sentences', writer } as const,
});

describe("the paper's own arms", () => {
  test.each<readonly [string, SelectionRequest, string]>([
    ['the published settings', { preset: 'published', strategy: 'k-dpp', size: { keyPoints: 3 } }, draft],
    ['every point', { strategy: 'all' }, draft],
    ["a model's choice", { strategy: 'llm' }, draft],
    ['one prompt', { strategy: 'naive' }, `${TRUE} ${LIE} Nobody says so.`],
  ])(
    '%s: the answer keeps what the model wrote, beside a summary that holds the promises',
    async (_, selection, raw) => {
      const request = asking(selection);
      const app = await modelApp(lying);
      const digest = await app.digest(request);
      expect(digest.writing?.draft).toBe(raw);
      expect(digest.summary.text).not.toMatch(/resigned|Nobody/);
      const stored = await app.app.request(`/v1/digests/${digest.id}`);
      expect(await stored.json()).toEqual(digest);
      const { digest: streamed } = await (await modelApp(lying)).streamed(request);
      expect(answered(streamed)).toEqual(answered(digest));
    },
  );

  test('keep none where no model wrote', async () => {
    const { writing } = await (await modelApp(good)).digest(asking({ strategy: 'all' }, 'compose'));
    expect(writing).toBeNull();
  });
});

test('other digests keep no draft', async () => {
  for (const selection of [{}, { strategy: 'mmr', size: { keyPoints: 3 } }] as const) {
    const { writing } = await (await modelApp(lying)).digest(asking(selection));
    expect(writing?.drafted).toBeGreaterThan(0);
    expect(writing?.draft).toBeNull();
  }
});
