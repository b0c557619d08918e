import { expect, test } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
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

test('a writer is shown what adds no volume to the kernel too, as long as there is room', async () => {
  const text = Array.from({ length: 60 }, (_, n) => `Bus line ${n + 1} runs every ${n + 5} minutes on weekdays.`).join(
    ' ',
  );
  const app = await modelApp(good);
  const { keyPoints, selection } = await app.digest({ ...request, documents: [{ id: 'lines', text }] });
  expect(keyPoints.filter(({ selected }) => selected)).toHaveLength(60);
  expect(selection.stoppedBy).toBe('exhausted');
  const compose = { ...request, engine: { extractor: 'sentences', writer: 'compose' } as const };
  const alone = await app.digest({
    ...compose,
    documents: [{ id: 'lines', text }],
    selection: { size: { keyPoints: 60 } },
  });
  expect(alone.selection.stoppedBy).toBe('rank');
});

test('a list of so many key points is asked for as so many lines, other texts are not', async () => {
  const formOf = async (selection: object, format: 'bullets' | 'report') => {
    const app = await modelApp(good);
    await app.digest({
      documents: CITY,
      intent: CITY_INTENT,
      engine: { extractor: 'sentences' },
      selection,
      summary: { format },
    });
    const written = app.server.requests.map(({ body }) => body.messages?.at(-1)?.content ?? '');
    return written.flatMap((message) => /The list has (\d+) lines\./u.exec(message)?.[1] ?? []);
  };
  expect(await formOf({ size: { keyPoints: 3 } }, 'bullets')).toEqual(['3']);
  expect(await formOf({ size: { keyPoints: 3 } }, 'report')).toEqual([]);
  expect(await formOf({}, 'bullets')).toEqual([]);
});
