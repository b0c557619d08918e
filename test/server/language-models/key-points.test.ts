import { describe, expect, test } from 'vitest';
import { type KeyPoints, keyPointsSchema } from '../../../src/contract/index.ts';
import { windowBytes } from '../../../src/digest/index.ts';
import { windows } from '../../../src/text/index.ts';
import { dataIn, good, goodBut, statementsIn } from '../../support/good-model.ts';
import { callsOf, type ModelApp, modelApp } from '../../support/model-app.ts';
import type { Script } from '../../support/scripted-model-server.ts';

async function keyPoints({ post }: Pick<ModelApp, 'post'>, request: unknown): Promise<KeyPoints> {
  const response = await post('/v1/key-points', request);
  const json = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(200);
  const answer = keyPointsSchema.parse(json);
  expect(answer).toEqual(json);
  // The schema is what the type says, but for what may be undefined.
  return answer as KeyPoints;
}

const answering = (points: readonly { text: string; quotes: readonly string[] }[]): Script =>
  goodBut(['extract'], () => ({ text: JSON.stringify({ keyPoints: points }) }));

const TEXT =
  'The “old” charge is 4 euros – for cars.  It starts on 1 September. Residents pay half. Revenue goes to trams.';
const one = { documents: [{ id: 'one', text: TEXT }], engine: { extractor: 'llm', extraction: { rounds: 1 } } };

describe('quotes', () => {
  test('are exact, repaired, unverified, or more than one', async () => {
    const app = await modelApp(
      answering([
        { text: 'Residents pay half.', quotes: ['Residents pay half.'] },
        { text: 'The old charge is 4 euros for cars.', quotes: ['the "old" charge is 4 euros - for cars. it starts'] },
        {
          text: 'Revenue, half from residents, goes to trams.',
          quotes: ['Revenue goes to trams.', 'Residents pay half.'],
        },
        { text: 'Revenue is spent.', quotes: ['Revenue goes to trams.', 'All of it is spent on trams.'] },
        { text: 'Buses are free.', quotes: ['Buses are free of charge.'] },
      ]),
    );
    const answer = await keyPoints(app, one);
    const found = answer.keyPoints.map(({ text, quote, moreQuotes }) => [text, quote.status, moreQuotes.length]);
    expect(found.sort()).toEqual([
      ['Buses are free.', 'unverified', 0],
      ['Residents pay half.', 'exact', 0],
      ['Revenue is spent.', 'exact', 0],
      ['Revenue, half from residents, goes to trams.', 'exact', 1],
      ['The old charge is 4 euros for cars.', 'repaired', 0],
    ]);
    for (const { quote, moreQuotes, selfContained } of answer.keyPoints) {
      for (const each of [quote, ...moreQuotes]) {
        if (each.start !== null) expect(TEXT.slice(each.start, each.end)).toBe(each.text);
      }
      expect(selfContained === null).toBe(quote.status === 'unverified');
    }
    expect(answer.documents).toEqual([{ id: 'one', status: 'ok', excluded: null, keyPoints: 4, error: null }]);
    expect(new Set(answer.keyPoints.map(({ id }) => id)).size).toBe(5);
  });
});

test('a long document is read in windows, and what two of them hold is one key point', async () => {
  const sentences = Array.from(
    { length: 700 },
    (_, i) => `Workshop ${i} repairs ${i + 3} bicycles in street ${i * 7}.`,
  );
  const text = sentences.join(' ');
  const app = await modelApp((request) => ({ ...good(request), delay: 100 }), { model: { concurrency: 2 } });
  const answer = await keyPoints(app, { documents: [{ id: 'long', text }], engine: { extractor: 'llm' } });
  const bytes = windowBytes(app.model.contextTokens);
  const parts = windows(text, { bytes, overlapBytes: Math.floor(bytes / 10) });
  expect(parts.length).toBeGreaterThan(2);
  expect(callsOf(app.server)).toEqual({ extract: parts.length });
  expect(app.server.maxInFlight).toBe(2);
  expect(answer.keyPoints.map(({ quote }) => quote.text)).toEqual(sentences);
  // Each sentence is to be listed once; what the window before held is shown as context.
  const read = app.server.requests.map((request) => statementsIn(dataIn(request, 'document')[0].text));
  expect(read.flat().sort()).toEqual(sentences.toSorted());
  const before = app.server.requests.map((request) =>
    dataIn(request, 'context').flatMap((each) => statementsIn(each.text)),
  );
  expect(before.filter((each) => each.length > 5 && each.every((one) => sentences.includes(one)))).toHaveLength(
    parts.length - 1,
  );
});
