import { beforeAll, describe, expect, test } from 'vitest';
import { shippedAnswerTypes, transformersEncoder } from '../../../src/models/index.node.ts';
import { type Encoder, typesAsked } from '../../../src/models/index.ts';

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
