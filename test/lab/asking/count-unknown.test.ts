import { expect, test } from 'vitest';
import { type AskedModel, nullIfUnanswerable, type Protocol } from '../../../src/lab/asking/asked-model.ts';
import { countUnknown } from '../../../src/lab/asking/kept-model.ts';
import { mapConcurrent } from '../../../src/lab/asking/map-concurrent.ts';
import { ModelCallError, renderPrompt } from '../../../src/models/index.ts';
import { judgements } from '../../../src/store/schema.ts';
import fc from '../../support/seeded-fast-check.ts';
import { asking, databases, PROMPTS, question } from './asking.ts';

/** Asks each thing, and what follows from each answer. */
function protocolOf(
  things: readonly string[],
  { follows = [], expected = things.length }: { readonly follows?: readonly string[]; readonly expected?: number } = {},
): Protocol<readonly (string | null)[]> {
  const each = (model: AskedModel, of: string) => async () => {
    const first = await nullIfUnanswerable(model.ask(question(of)));
    if (first === null) return null;
    const more = follows.map((next) => () => nullIfUnanswerable(model.ask(question(`${first} ${next}`))));
    await mapConcurrent(more);
    return first;
  };
  return {
    step: 'asking',
    version: 1,
    options: {},
    expected: () => ({ calls: expected, promptTokens: 10 * expected, completionTokens: 7 * expected }),
    make: async (model) => ({ result: await mapConcurrent(things.map((of) => each(model, of))), counts: {} }),
  };
}

const things = fc.uniqueArray(fc.constantFrom('river', 'fox', 'mill', 'ferry', 'Brücke', 'stone'), { minLength: 1 });

test('counts what is open of one stage exactly, with its prompts as they are, and asks and keeps nothing', async () => {
  const fresh = databases();
  await fc.assert(
    fc.asyncProperty(things, fc.nat(6), async (all, before) => {
      const { model, stage, database, kept } = asking(({ values }) => `about ${values.of}`, {
        database: fresh(),
      });
      const known = all.slice(0, before);
      for (const of of known) await model.ask(question(of));
      const rows = await database.query.select().from(judgements);
      const {
        calls,
        known: told,
        promptTokens,
        completionTokens,
      } = await countUnknown(protocolOf(all), stage, PROMPTS, kept);
      const open = all.slice(known.length);
      expect([calls, told]).toEqual([open.length, known.length]);
      const bytes = open.map((of) =>
        renderPrompt(question(of).prompt, { of }).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
      );
      const shown = bytes.reduce((sum, each) => sum + Math.ceil(each / 4), 0);
      expect(promptTokens).toBe(Math.max(shown, 10 * open.length));
      expect(completionTokens).toBe(7 * open.length);
      expect(stage.questions).toHaveLength(known.length);
      expect(await database.query.select().from(judgements)).toEqual(rows);
    }),
    { numRuns: 20 },
  );
});

test('takes what follows from what is expected, until all is known', async () => {
  const all = ['river', 'fox'];
  const protocol = protocolOf(all, { follows: ['why', 'when'], expected: 6 });
  const { model, stage, kept, database } = asking(({ values }) => `about ${values.of}`);
  const open = () => countUnknown(protocol, stage, PROMPTS, kept);
  expect(await open()).toMatchObject({ calls: 6, known: 0 });
  await model.ask(question('river'));
  expect(await open()).toMatchObject({ calls: 5, known: 1 });
  await protocol.make(model);
  expect(await open()).toEqual({ calls: 0, promptTokens: 0, completionTokens: 0, known: 6 });
  // Asked anew, all is open.
  const anew = asking(() => '', { database, restart: true });
  expect(await countUnknown(protocol, anew.stage, PROMPTS, anew.kept)).toMatchObject({ calls: 6, known: 0 });
});

test('never says less than is open', async () => {
  const { stage, kept } = asking(() => 'x');
  const tooFew = protocolOf(['river', 'fox', 'mill'], { expected: 1 });
  expect(await countUnknown(tooFew, stage, PROMPTS, kept)).toMatchObject({ calls: 3 });
  const none = protocolOf([], { expected: 0 });
  expect(await countUnknown(none, stage, PROMPTS, kept)).toMatchObject({ calls: 0, known: 0 });
});

test('answers that could not be read are known, and what would follow from them is not expected', async () => {
  const { stage, kept, model } = asking(() => new ModelCallError('malformed', 'The model said nothing.'));
  const protocol = protocolOf(['river'], { follows: ['why'], expected: 2 });
  await protocol.make(model);
  expect(await countUnknown(protocol, stage, PROMPTS, kept)).toMatchObject({ calls: 0, known: 1 });
});
