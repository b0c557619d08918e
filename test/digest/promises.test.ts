import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../src/contract/index.ts';
import { createDigest, type ResolvedRequest } from '../../src/digest/index.ts';
import type { SourceDocument } from '../../src/text/index.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { answered, expectSound } from '../support/promises.ts';
import { testDeps } from '../support/test-deps.ts';

const RUNS = { numRuns: 25, seed: 20260301 };

const SUBJECTS = [
  'The council',
  'Dr. Weber',
  'A study of 2.5 million trips',
  'Die Straßenbahn',
  'MAYOR: The city',
  '“Nobody”',
  '市议会',
  'The 👩‍🔧 union',
];
const VERBS = ['approved', 'opposes', 'does not want', 'expects', 'will close', 'fears'];
const OBJECTS = [
  'a congestion charge of 4 euros',
  'a congestion charge of 5 euros',
  'the second tram line (see p. 7)',
  'cameras "at every gate"',
  'fewer cars\u00a0in the old town',
  'شارع المدينة القديمة',
  'the naïve café\u0301 plan',
];
const ENDS = ['. ', '.\n', '!\n\n', '? ', '; however, ', ' …\r\n', '。', '\n- ', '\n\n# Heading\n\n', '\u200b. '];

const fragment = fc
  .tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...VERBS), fc.constantFrom(...OBJECTS), fc.constantFrom(...ENDS))
  .map(([subject, verb, object, end]) => `${subject} ${verb} ${object}${end}`);
const noise = fc.string({ unit: 'grapheme', maxLength: 30 });
const text = fc.array(fc.oneof({ arbitrary: fragment, weight: 6 }, { arbitrary: noise, weight: 1 }), { maxLength: 8 });
const documents = fc
  .array(
    fc.record({
      text: text.map((parts) => parts.join('')),
      weight: fc.option(fc.double({ min: 0.01, max: 100, noNaN: true }), { nil: undefined }),
      title: fc.option(fc.constantFrom('Minutes', '[1]', 'Zürich “news”'), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all): SourceDocument[] => all.map((document, i) => ({ id: `d${(i * 7) % 10}`, ...document })));
const request: fc.Arbitrary<ResolvedRequest> = fc.record({
  documents,
  intent: fc.option(
    fc.constantFrom(
      'What did the council approve?',
      'How much is the charge? Who fears the cameras?',
      '市议会',
      'neutron stars',
      'the old town, and what will the tram cost?',
    ),
    { nil: undefined },
  ),
  selection: fc.record({
    strategy: fc.constantFrom('dpp-map' as const, 'relevance' as const),
    size: fc.oneof(
      fc.record({ keyPoints: fc.integer({ min: 1, max: 15 }) }),
      fc.record({ words: fc.integer({ min: 1, max: 80 }) }),
      fc.constant('auto' as const),
    ),
    kernel: fc.record({
      similarity: fc.constantFrom('bertscore' as const, 'cosine' as const),
      form: fc.constantFrom('gaussian' as const, 'linear' as const),
      idf: fc.constantFrom(0, 2),
    }),
    relevance: fc.record({ gate: fc.constantFrom(null, 0.6, 1), surroundings: fc.constantFrom(0, 2) }),
    salience: fc.record({ weight: fc.constantFrom(0, 1) }),
    coverage: fc.record({ weight: fc.constantFrom(0, 100) }),
  }),
  summary: fc.record({
    format: fc.constantFrom('report' as const, 'bullets' as const, 'brief' as const),
    maxWords: fc.constantFrom(null, 20, 250),
  }),
});

/** What the order of the documents must not move (P5): the answer with its lists of documents in one order. */
function unordered(digest: Digest) {
  return { ...answered(digest), documents: [...digest.documents].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

describe('for any documents and options', () => {
  test('quotes are exact, sentences sourced, nothing selected is lost, numbers are numbers (P1, P2, P3)', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        expectSound(await createDigest(asked, testDeps()), asked.documents);
      }),
      { ...RUNS, numRuns: 60 },
    );
  });

  test('no statement is selected twice, whichever documents hold it', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const selection = { ...asked.selection, strategy: 'dpp-map' as const };
        const { keyPoints } = await createDigest({ ...asked, selection }, testDeps());
        const said = keyPoints.filter(({ selected }) => selected).map(({ speaker, text }) => `${speaker}: ${text}`);
        expect(new Set(said).size).toBe(said.length);
      }),
      RUNS,
    );
  });

  test('any order of the documents gives the same digest, with a fresh database per order (P5)', async () => {
    const shuffled = request.chain((asked) =>
      fc
        .shuffledSubarray([...asked.documents], { minLength: asked.documents.length })
        .map((other) => [asked, { ...asked, documents: other }] as const),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([asked, moved]) => {
        const digest = await createDigest(asked, testDeps());
        const other = await createDigest(moved, testDeps());
        expect(unordered(other)).toEqual(unordered(digest));
      }),
      RUNS,
    );
  });

  test('the same request gives the same digest, also over what the first one stored (P6)', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const parts = testDeps();
        const first = answered(await createDigest(asked, parts));
        expect(answered(await createDigest(asked, parts))).toEqual(first);
        expect(answered(await createDigest(asked, testDeps()))).toEqual(first);
      }),
      RUNS,
    );
  });

  test('a document that cannot be read sinks no other (P7)', async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.nat(), async (asked, at) => {
        const engine = new InProcessEngine();
        const { text } = asked.documents[at % asked.documents.length];
        engine.unreadable.add(text);
        const digest = await createDigest(asked, testDeps({ engine }));
        expectSound(digest, asked.documents);
        const broken = new Set(asked.documents.filter((document) => document.text === text).map(({ id }) => id));
        for (const { id, status } of digest.documents) {
          expect(status === 'failed').toBe(broken.has(id) && text.trim() !== '');
        }
      }),
      RUNS,
    );
  });
});
