import { expect, test } from 'vitest';
import { askedIn, dataIn, good } from '../../support/good-model.ts';
import { modelApp, NOTES } from '../../support/model-app.ts';

const FAR = 'Whales sleep with one half of the brain at a time.';
const request = {
  documents: [...NOTES, { id: 'far', text: `${FAR} Basalt columns form where lava cools.` }],
  intent: 'Who pays half the charge?',
  engine: { extractor: 'sentences', writer: 'llm' } as const,
};

test('a writer is shown every key point where there are few, however far from the question', async () => {
  const app = await modelApp(good);
  const { keyPoints, selection } = await app.digest(request);
  expect(selection.gate).toEqual({ kept: keyPoints.length, dropped: 0 });
  const [written] = app.server.requests.filter((asked) => askedIn(asked) === 'write');
  expect(dataIn(written, 'key points')[0].text).toContain(FAR);
});

test('what passes the gate that the request names, where it names one', async () => {
  const { selection } = await (await modelApp(good)).digest({ ...request, selection: { relevance: { gate: 0.6 } } });
  expect(selection.gate.dropped).toBeGreaterThan(0);
});
