import { describe, expect, test } from 'vitest';
import { entailmentModel } from '../../../src/models/index.node.ts';
import { type Asked, askedIn, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { callsOf, modelApp, NOTES, NOTES_INTENT, statedIn } from '../../support/model-app.ts';
import type { RecordedRequest } from '../../support/scripted-model-server.ts';
import { testApp } from '../../support/test-deps.ts';
import { TINY, tinyEntailmentModel } from '../../support/tiny-entailment-model.ts';

const request = { documents: NOTES, intent: NOTES_INTENT } as const;

async function engineWith(): Promise<InProcessEngine> {
  const models = tinyEntailmentModel({ labels: ['contradiction', 'neutral', 'Entailment'] });
  const tiny = await entailmentModel({ models, spec: { kind: 'entailment', model: TINY, dtype: 'fp32' } });
  return new InProcessEngine({}, {}, { tiny });
}

/** A model that never judges: who asks it to fails the test. */
function writing(write: (request: RecordedRequest) => string, again: () => string) {
  const purposes: readonly Asked[] = ['write', 'write-again', 'judge'];
  return goodBut(purposes, (asked) => {
    const purpose = askedIn(asked);
    if (purpose === 'judge') throw new Error('a language model was to judge');
    return { text: purpose === 'write' ? write(asked) : again() };
  });
}

/** The number under which the writer is given what the council decided, and what the study expects. */
function numbersIn(asked: RecordedRequest): { readonly council: number; readonly study: number } {
  const points = givenPoints(asked).flat();
  const numberOf = (words: string) => points.find(({ text }) => text.includes(words))?.number ?? 0;
  return { council: numberOf('approved a congestion charge'), study: numberOf('would fall by 15 percent') };
}

describe('an entailment model of the service as verifier', () => {
  const TRUE = 'The council approved for the old town a charge of 4 euros.';
  const LIE = 'The council approved a charge of 9 euros for lorries.';
  const FALSE = 'Volcanoes would fall by 15 percent.';
  const MENDED = 'By 15 percent traffic would fall.';

  test('judges what was written, asks for what it refuses once more, and no language model judges', async () => {
    const app = await modelApp(
      writing(
        (asked) => {
          const { council, study } = numbersIn(asked);
          return `${TRUE} [${council}] ${LIE} [${council}] ${FALSE} [${study}]`;
        },
        () => `1: ${LIE}\n2: ${MENDED}`,
      ),
      { engine: await engineWith() },
    );
    const digest = await app.digest({ ...request, engine: { verify: 'tiny' } });
    const held = digest.summary.sentences.map(({ text, verification }) => [text, verification]);
    expect(held).toContainEqual([TRUE, 'judged']);
    expect(held).toContainEqual([MENDED, 'mended']);
    for (const text of statedIn(digest)) expect([LIE, FALSE]).not.toContain(text);
    expect(digest.writing).toMatchObject({ drafted: 3, judged: 1, mended: 1, askedAgain: 2 });
    expect(digest.engine).toMatchObject({ writer: 'llm', verifier: `entailment/${TINY}/fp32` });
    expect(Object.keys(digest.engine.models)).toEqual(['extract', 'write']);
    expect(digest.usage.stages).not.toHaveProperty('judge');
    expect(callsOf(app.server)).not.toHaveProperty('judge');
    expect(digest.status).toBe('completed');
    const { digest: streamed } = await app.streamed({ ...request, engine: { verify: 'tiny' } });
    expect(statedIn(streamed)).toEqual(statedIn(digest));
  });

  test('one that is not there is a 422 that lists what is, before anything is asked', async () => {
    const app = await modelApp(good, { engine: await engineWith() });
    for (const verify of ['gone', 'Tiny', 'hashed-words']) {
      const response = await app.post('/v1/digests', { ...request, engine: { verify } });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        errors: [
          {
            pointer: '/engine/verify',
            detail: `There is no verifier "${verify}"; available: "llm", "rules", "off", "tiny".`,
          },
        ],
      });
    }
    expect(app.server.requests).toEqual([]);
    const embedded = await testApp().post('/v1/digests', { ...request, engine: { verify: 'tiny' } });
    expect(await embedded.json()).toMatchObject({ status: 422, errors: [{ pointer: '/engine/verify' }] });
  });
});
