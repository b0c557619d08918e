import { describe, expect, test } from 'vitest';
import type { ResolvedRequest } from '../../../src/digest/index.ts';
import { parsePrompt } from '../../../src/models/index.ts';
import { dataIn, givenPoints, goodBut, statementsIn } from '../../support/good-model.ts';
import { callsOf, modelApp, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { PROMPTS } from '../../support/prompts.ts';
import type { Script } from '../../support/scripted-model-server.ts';

/** The statement in other words, that the good judge accepts. */
const inOtherWords = (text: string): string => `And, ${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Words every key point, and every sentence, in its own way. */
const wording: Script = goodBut(['extract', 'write'], (asked) => {
  const isWriting = dataIn(asked, 'key points').length > 0;
  const text = isWriting
    ? givenPoints(asked)
        .flat()
        .map((point) => `${inOtherWords(point.text)} [${point.number}]`)
        .join(' ')
    : JSON.stringify({
        keyPoints: statementsIn(dataIn(asked, 'document')[0].text).map((quote) => ({
          text: inOtherWords(quote),
          quotes: [quote],
        })),
      });
  return { text };
});

const OWN = `${'---\nid: judge-strictly\nstage: judge\npurpose: Judge.\nvariables: [passages, statements]\n---\n'}# System
You check statements against passages, strictly.
# User
{{passages}}
{{statements}}
`;
const prompts = new Map([...PROMPTS, ['judge-strictly', parsePrompt(OWN)] as const]);

async function judgingApp() {
  const app = await modelApp(wording, { parts: { prompts } });
  return {
    app,
    /** A digest, and how often it had the judge asked. */
    async digest(request: Partial<ResolvedRequest> = {}) {
      const before = callsOf(app.server).judge ?? 0;
      const digest = await app.digest({ documents: NOTES, intent: NOTES_INTENT, ...request });
      return { digest, judged: (callsOf(app.server).judge ?? 0) - before };
    },
  };
}

describe.each(['llm', 'compose'] as const)('a verdict on what the writer "%s" tells', (writer) => {
  const engine = { writer };

  test('is not asked for again by the same digest, whose usage says so', async () => {
    const { digest } = await judgingApp();
    const first = await digest({ engine });
    expect(first.judged).toBe(1);
    expect(first.digest.usage.stages.judge).toMatchObject({ requests: 1 });
    const second = await digest({ engine });
    expect(second.judged).toBe(0);
    expect(second.digest.usage.stages.judge).toMatchObject({ requests: 0, promptTokens: 0 });
    expect(second.digest.usage.requests).toBeLessThan(first.digest.usage.requests);
    const { summary, keyPoints, engine: used } = second.digest;
    expect([summary, keyPoints]).toEqual([first.digest.summary, first.digest.keyPoints]);
    expect(summary.sentences.some(({ verification }) => verification === 'judged')).toBe(true);
    expect(used.models.judge).toEqual(first.digest.engine.models.judge);
  });

  test.each<[string, Partial<ResolvedRequest>]>([
    ['another model', { engine: { writer, stages: { judge: { model: 'other' } } } }],
    ['another temperature', { engine: { writer, stages: { judge: { temperature: 0.7 } } } }],
    ['another prompt', { engine: { writer, stages: { judge: { prompt: 'judge-strictly' } } } }],
    ['other surroundings', { engine, documents: NOTES.map((note) => ({ ...note, title: 'Minutes' })) }],
  ])('is asked for by %s', async (_, changed) => {
    const { digest } = await judgingApp();
    await digest({ engine });
    expect((await digest(changed)).judged).toBe(1);
  });
});

test('a point that another question selects too is not judged again', async () => {
  const { app, digest } = await judgingApp();
  const engine = { writer: 'compose' } as const;
  const first = await digest({ engine, selection: { size: { keyPoints: 3 } } });
  const second = await digest({ engine, intent: undefined, selection: { size: { keyPoints: 6 } } });
  expect(second.judged).toBe(1);
  const known = first.digest.keyPoints.flatMap(({ selected, text }) => (selected ? [text] : []));
  const shared = second.digest.keyPoints.filter(({ selected, text }) => selected && known.includes(text));
  expect(shared.length).toBeGreaterThan(0);
  const judged = app.server.requests.flatMap((asked) => dataIn(asked, 'statements')).map(({ text }) => text);
  for (const { text } of shared) expect(judged.filter((statements) => statements.includes(text))).toHaveLength(1);
});

test('a digest that is known in every part is made again while the model is down', async () => {
  let isDown = false;
  const script: Script = (asked, index) => (isDown ? { status: 500 } : wording(asked, index));
  const app = await modelApp(script, { parts: { writer: 'compose' } });
  const request = { documents: NOTES };
  const first = await app.digest(request);
  isDown = true;
  const second = await app.digest(request);
  expect([second.status, second.summary]).toEqual(['completed', first.summary]);
});
