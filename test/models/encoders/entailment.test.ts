import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entailmentModel, readEntailmentLabel } from '../../../src/models/index.node.ts';
import type { EntailmentModel } from '../../../src/models/index.ts';
import { TINY, type TinyModelOptions, tinyEntailmentModel } from '../../support/tiny-entailment-model.ts';

function loaded(options: TinyModelOptions = {}): Promise<EntailmentModel> {
  const models = tinyEntailmentModel(options);
  return entailmentModel({ models, spec: { kind: 'entailment', model: TINY, dtype: 'fp32' } });
}

async function holds(model: EntailmentModel, claim: string, ...premises: readonly string[]): Promise<number> {
  const [probability] = await model.entailment([{ claim, premises }]);
  return probability;
}

const YES = expect.closeTo(1, 2);
const NO = expect.closeTo(0, 2);

/** Words that are one token each. */
const WORDS = ['tram', 'bus', 'river', 'bridge', 'copper', 'charge', 'town', 'old', 'market', 'winter'];
/** And stand in no text made of them. */
const OTHER = 'volcano';

describe("the label of entailment in a model's configuration", () => {
  const labelOf = (config: object) => readEntailmentLabel(tinyEntailmentModel({ config }), TINY);

  test.each([
    [
      { 0: 'entailment', 1: 'neutral', 2: 'contradiction' },
      { at: 0, count: 3 },
    ],
    [
      { 2: 'ENTAILMENT', 0: 'CONTRADICTION', 1: 'NEUTRAL' },
      { at: 2, count: 3 },
    ],
    [
      { 0: 'not_entailment', 1: 'Entailment' },
      { at: 1, count: 2 },
    ],
    [
      { 0: ' entailment ', 1: 'non-entailment' },
      { at: 0, count: 2 },
    ],
  ])('%j', (id2label, expected) => {
    expect(labelOf({ id2label })).toEqual(expected);
  });

  test.each([
    [
      { id2label: { 0: 'LABEL_0', 1: 'LABEL_1' } },
      'needs a label "entailment" beside others; its labels are "LABEL_0"',
    ],
    [{ id2label: { 0: 'not_entailment', 1: 'neutral' } }, 'needs a label "entailment"'],
    [{ id2label: { 0: 'entailment' } }, 'needs a label "entailment" beside others; its labels are "entailment"'],
    [{ id2label: { 0: 'entailment', 1: 'Entailment' } }, 'needs a label "entailment"'],
    [{ id2label: { 0: 'entailment', 5: 'neutral' } }, 'needs a label "entailment"'],
    [{ id2label: {} }, 'needs a label "entailment" beside others; its labels are none'],
    [{ id2label: undefined }, 'is not of a model for sequence classification'],
    [{ id2label: { yes: 'entailment', no: 'neutral' } }, 'is not of a model for sequence classification'],
    [{ architectures: ['BertModel'] }, 'is not of a model for sequence classification'],
    [{ architectures: undefined }, 'is not of a model for sequence classification'],
  ])('%j is refused', async (config, problem) => {
    expect(labelOf(config)).toEqual({ problem: expect.stringContaining(`${TINY}/config.json ${problem}`) });
    await expect(loaded({ config })).rejects.toThrow(problem);
  });
});

describe('an entailment model', () => {
  test.each([
    [['entailment', 'neutral', 'contradiction']],
    [['CONTRADICTION', 'NEUTRAL', 'ENTAILMENT']],
    [['neutral', 'Entailment', 'contradiction']],
    [['entailment', 'not_entailment']],
    [['not_entailment', 'entailment']],
  ])('is believed by its own order of labels: %j', async (labels) => {
    const model = await loaded({ labels });
    expect(model.id).toBe(`entailment/${TINY}/fp32`);
    expect(await holds(model, 'The tram crosses the bridge.', 'In winter the old tram crosses the bridge.')).toEqual(
      YES,
    );
    expect(await holds(model, 'The tram crosses the river.', 'In winter the old tram crosses the bridge.')).toEqual(NO);
  });

  test('P6: what it says of a claim does not depend on the others', async () => {
    const model = await loaded();
    const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
    const question = fc.record({ claim: words.map((each) => each.join(' ')), premise: words });
    await fc.assert(
      fc.asyncProperty(fc.array(question, { maxLength: 5 }), async (asked) => {
        const questions = asked.map(({ claim, premise }) => ({ claim, premises: [premise.join(' ')] }));
        const together = await model.entailment(questions);
        const alone = await Promise.all(questions.map((each) => model.entailment([each])));
        expect([...together]).toEqual(alone.map(([probability]) => probability));
        const expected = asked.map(({ claim, premise }) => claim.split(' ').every((word) => premise.includes(word)));
        expect([...together].map((probability) => probability > 0.5)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test('reads what is too long in windows, and one has to bear the whole claim out', async () => {
    const MAX = 32;
    const model = await loaded({ tokenizer: { model_max_length: MAX } });
    const filler = (count: number) => Array.from({ length: count }, (_, i) => WORDS[i % 3]);
    await fc.assert(
      fc.asyncProperty(fc.nat(120), fc.nat(120), fc.nat(60), async (before, after, apart) => {
        const claim = `${OTHER} winter`;
        const premise = [...filler(before), OTHER, ...filler(apart), 'winter', ...filler(after), ...filler(40)];
        const room = MAX - 3 - 2; // [CLS], two [SEP] and the claim
        const found = await holds(model, claim, premise.join(' '));
        // Windows begin halfway through the one before.
        if (apart + 2 <= room / 2 - 1) expect(found).toEqual(YES);
        if (apart + 2 > room) expect(found).toEqual(NO);
        expect(await holds(model, 'market', premise.join(' '))).toEqual(NO);
      }),
      { numRuns: 40 },
    );
  });

  test('a claim that is empty, longer than it can read, or without evidence is not entailed', async () => {
    const model = await loaded({ tokenizer: { model_max_length: 32 } });
    const long = 'tram '.repeat(17);
    expect(await holds(model, long, 'tram')).toBe(0);
    expect(await holds(model, 'tram '.repeat(16), 'tram')).toEqual(YES);
    expect(await holds(model, '', 'tram')).toBe(0);
    expect(await holds(model, 'tram')).toBe(0);
    expect(await holds(model, 'tram', '', ' \n')).toBe(0);
    expect(await model.entailment([])).toEqual(new Float64Array());
  });
});
