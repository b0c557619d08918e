import { expect, test } from 'vitest';
import { createDigest, type ResolvedRequest } from '../../src/digest/index.ts';
import { shippedReader, transformersEncoder } from '../../src/models/index.node.ts';
import type { Encoder } from '../../src/models/index.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { expectSound } from '../support/promises.ts';
import { testDeps } from '../support/test-deps.ts';

const READER = await shippedReader();

class ReadingEngine extends InProcessEngine {
  readonly reader = READER;
}

const ENCODER: Encoder = await transformersEncoder();

/** Reviews of a lawn mower; what is a complaint and what is praise is said beside them. */
const REVIEWS = [
  {
    id: 'r1',
    complaint: 'The blade came loose in the second week.',
    praise: 'It starts at the first pull, every time.',
  },
  { id: 'r2', complaint: 'It is so loud that the neighbours came round.', praise: 'Light enough for me, and I am 78.' },
  { id: 'r3', complaint: 'The grass box splits at the seam.', praise: 'The lawn has never looked better.' },
  {
    id: 'r4',
    complaint: 'Nobody at the shop answers the telephone.',
    praise: 'Brilliant little machine, worth every penny.',
  },
  {
    id: 'r5',
    complaint: 'The battery dies halfway round the garden.',
    praise: 'It folds flat and hangs on the wall, very handy.',
  },
  { id: 'r6', complaint: 'A replacement took five weeks to arrive.', praise: 'Edges are cut cleanly, I was amazed.' },
];
const DOCUMENTS = REVIEWS.map(({ id, complaint, praise }) => ({
  id,
  text: `I bought it in spring for a garden of two hundred square metres. ${praise} ${complaint} My brother has the larger model.`,
}));

const digestOf = (intent: string, engine: InProcessEngine) =>
  createDigest(
    { documents: DOCUMENTS, intent, engine: { encoder: 'minilm' } } as ResolvedRequest,
    testDeps({ engine }),
  );

const told = async (intent: string, engine: InProcessEngine) =>
  (await digestOf(intent, engine)).keyPoints.filter(({ selected }) => selected).map(({ text }) => text);

test('what buyers complain about is answered by complaints rather than by praise', async () => {
  const intent = 'What do buyers complain about most?';
  const count = (texts: readonly string[], kind: 'complaint' | 'praise') =>
    REVIEWS.filter((review) => texts.includes(review[kind])).length;
  const read = await told(intent, new ReadingEngine({ minilm: ENCODER }));
  expect(count(read, 'complaint')).toBeGreaterThanOrEqual(2);
  expect(count(read, 'complaint')).toBeGreaterThan(count(read, 'praise'));
  // The sentences alone do not look like the answer.
  const unread = await told(intent, new InProcessEngine({ minilm: ENCODER }));
  expect(count(unread, 'complaint') - count(unread, 'praise')).toBeLessThan(
    count(read, 'complaint') - count(read, 'praise'),
  );
});

test.each(['What do buyers complain about most?', 'Why are buyers unhappy?'])(
  '"%s" is never refused',
  async (intent) => {
    const digest = await digestOf(intent, new ReadingEngine({ minilm: ENCODER }));
    expect(digest.intent?.answered).not.toBe('no');
    expect(digest.keyPoints.some(({ selected }) => selected)).toBe(true);
    expectSound(digest, DOCUMENTS);
  },
);
