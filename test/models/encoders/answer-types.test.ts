import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { shippedAnswerTypes, transformersEncoder } from '../../../src/models/index.node.ts';
import { type AnswerTypes, type Encoder, ofTypesAsked, typesAsked } from '../../../src/models/index.ts';

const number = fc.double({ min: -5, max: 5, noNaN: true });
const row = fc.array(number, { minLength: 3, maxLength: 3 });
const classifier = (classes: number) =>
  fc.record({
    bias: fc.array(number, { minLength: classes, maxLength: classes }),
    weights: fc.array(row, { minLength: classes, maxLength: classes }),
  });
const made: fc.Arbitrary<AnswerTypes> = fc.record({
  encoder: fc.constant('any'),
  types: fc.constant(['complaint', 'rule']),
  statements: classifier(2),
  questions: classifier(3),
});
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => [0, 1, 2].reduce((sum, i) => sum + a[i] * b[i], 0);

describe('a classifier of answer types', () => {
  test('gives the probabilities of a softmax, of which the last class is for no type', () => {
    fc.assert(
      fc.property(made, row, (types, values) => {
        const question = Float32Array.from(values);
        const { bias, weights } = types.questions;
        const raised = bias.map((start, c) => Math.exp(start + dot(weights[c], question)));
        const total = raised[0] + raised[1] + raised[2];
        const asked = typesAsked(types, question);
        expect(asked).toHaveLength(2);
        for (const t of [0, 1]) expect(asked[t]).toBeCloseTo(raised[t] / total, 9);
      }),
    );
  });

  test('weighs the log-odds of a statement by what is asked', () => {
    fc.assert(
      fc.property(made, row, number, (types, values, share) => {
        const vector = Float32Array.from(values);
        const { bias, weights } = types.statements;
        const [first, second] = [0, 1].map((t) => bias[t] + dot(weights[t], vector));
        const [one, none] = ofTypesAsked(types, Float64Array.of(share, 1 - share), [vector, new Float32Array(3)]);
        expect(one).toBeCloseTo(share * first + (1 - share) * second, 6);
        expect(none).toBeCloseTo(share * bias[0] + (1 - share) * bias[1], 6);
      }),
    );
  });
});

describe('the classifier that ships', () => {
  const shipped = shippedAnswerTypes();
  let encoder: Encoder;

  beforeAll(async () => {
    encoder = await transformersEncoder();
  });

  const vectorsOf = async (texts: readonly string[]) => (await encoder.encode(texts)).map(({ sentence }) => sentence);

  test.each([
    ['What do guests complain about most?', 'complaint'],
    ['What did the council decide?', 'decision'],
    ['Why do volunteers leave?', 'cause'],
    ['What are the dangers?', 'risk'],
    ['What would members like to see?', 'wish'],
    ['How can I get round it?', 'remedy'],
    ['What is new?', 'change'],
  ])('"%s" asks for a %s', async (question, type) => {
    const [vector] = await vectorsOf([question]);
    const asked = typesAsked(shipped, vector);
    expect(shipped.types[asked.indexOf(Math.max(...asked))]).toBe(type);
    expect(asked.reduce((sum, p) => sum + p, 0)).toBeGreaterThan(0.7);
  });
});
