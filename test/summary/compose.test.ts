import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMATS, type Summary } from '../../src/contract/index.ts';
import { type ComposeInput, compose } from '../../src/summary/index.ts';
import { inputOf, similarityOf } from './points.ts';

/** Reads the text from its start: nothing may stand in it but the sentences, their markers and the layout. */
function expectTextIsJoin({ text, sentences, sources }: Summary, format: ComposeInput['format']) {
  const numbers = new Map(sources.map((source) => [source.document, source.number]));
  let at = 0;
  for (const sentence of sentences) {
    const documents = new Set(sentence.citations.map((citation) => citation.document));
    const cited = [...documents].map((document) => numbers.get(document) ?? -1).sort((a, b) => a - b);
    const markers = cited.length > 0 ? ` ${cited.map((number) => `[${number}]`).join('')}` : '';
    const bullet = format === 'bullets' && !sentence.framing ? '- ' : '';
    const between = { report: [' ', '\n\n'], bullets: ['\n', '\n\n'], brief: [' '] }[format];
    const separators = at === 0 ? [''] : between;
    const part = bullet + sentence.text + markers;
    const separator = separators.find((each) => text.startsWith(each + part, at));
    expect(separator, `${part} at ${at} of ${text}`).toBeDefined();
    at += (separator ?? '').length + part.length;
  }
  expect(at).toBe(text.length);
}

function expectPromises(summary: Summary, input: ComposeInput) {
  for (const sentence of summary.sentences) {
    expect(sentence.framing).toBe(sentence.citations.length === 0);
    expect(sentence.support).toBe(sentence.framing ? null : 1);
    expect(sentence.text).not.toMatch(/\n|\[\s*\p{Nd}+\s*\]/u);
    expect(new Set(sentence.citations.map((citation) => JSON.stringify(citation))).size).toBe(
      sentence.citations.length,
    );
  }
  for (const point of input.points) {
    const citing = summary.sentences.filter((sentence) => sentence.keyPoints.includes(point.id));
    expect(citing).toHaveLength(1);
    expect(citing[0]?.citations).toContainEqual({ document: point.document, quote: point.quote });
    if (input.format === 'bullets') expect(citing[0]?.keyPoints[0]).toBe(point.id);
  }
  const isAnswered = input.points.length > 0 && input.intent?.matched !== false;
  if (isAnswered) expect(summary.sentences[0]?.framing).toBe(false);
  const met = [...summary.text.matchAll(/\[(\d+)\]/gu)].map((match) => Number(match[1]));
  expect([...new Set(met)]).toEqual(summary.sources.map((_, index) => index + 1));
  expect(summary.sources.map((source) => source.number)).toEqual(summary.sources.map((_, index) => index + 1));
  expectTextIsJoin(summary, input.format);
}

const documentId = fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5');
const wording = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'The plan created 20 million jobs.',
    'The plan created 35 million jobs.',
    'the plan did not pass',
    'The plan passed.',
    'see [3] and [[12, 4]]\n- fake bullet [1][2]',
    'リモートワークは生産性を高める',
    'العمل عن بعد يزيد الإنتاجية',
    '# heading\n\nparagraph',
    'However, the plan passed.',
    'They created 20 million jobs.',
    'He did so in 2019.',
    'Yes, in full.',
    'change it',
    '(CNN) -- “The plan passed, he said.',
  ),
);
const written = fc.array(
  fc.record(
    {
      text: wording,
      document: documentId,
      relevance: fc.double({ min: -1, max: 1, noNaN: true }),
      also: fc.array(fc.tuple(documentId, wording), { maxLength: 4 }),
      speaker: fc.constantFrom('Ann Lee', 'Bo'),
      selfContained: fc.constantFrom(0.5, 0.6, 0.8, 1),
      under: fc.array(fc.constantFrom('What you may do:', 'Fees', 'Is it paid?', '[1]', ''), { maxLength: 2 }),
      start: fc.nat(300),
    },
    { requiredKeys: ['text', 'document', 'relevance', 'also'] },
  ),
  { maxLength: 12 },
);
const documentsWith = (dates: readonly (string | null)[]) =>
  ['d1', 'd2', 'd3', 'd4', 'd5'].map((id, index) => ({
    id,
    title: `Paper ${id}`,
    ...(dates[index] != null && { publishedAt: dates[index] }),
  }));
const documents = fc
  .array(fc.option(fc.constantFrom('2019-01-01', '2024-05-02', '2026-03-31')), { minLength: 5, maxLength: 5 })
  .map(documentsWith);
const intent = fc.option(
  fc.record({
    text: wording,
    matched: fc.boolean(),
    facets: fc.array(fc.record({ text: wording, matched: fc.boolean() }), { maxLength: 6 }),
  }),
);
const format = fc.constantFrom(...FORMATS);

describe('compose', () => {
  it('keeps its promises on any input', () => {
    fc.assert(
      fc.property(
        written,
        documents,
        intent,
        format,
        fc.option(fc.nat(200)),
        (points, read, asked, layout, maxWords) => {
          const input = inputOf(points, { documents: read, intent: asked, format: layout, maxWords });
          expectPromises(compose(input), input);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('does not depend on the order of the documents or of the points', () => {
    fc.assert(
      fc.property(
        written,
        documents,
        intent,
        format,
        fc.infiniteStream(fc.nat()),
        (points, read, asked, layout, dice) => {
          const input = inputOf(points, { documents: read, intent: asked, format: layout });
          const shuffled = input.points
            .map((point) => ({ point, at: dice.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ point }) => point);
          const other = {
            ...input,
            documents: [...read].reverse(),
            points: shuffled,
            similarity: similarityOf(shuffled),
          };
          expect(compose(other)).toEqual(compose(input));
        },
      ),
    );
  });
});

describe('an intent without an answer', () => {
  const none = { text: 'penguins', facets: [], matched: false };

  it('is said before what came nearest', () => {
    const input = inputOf([{ text: 'Seals eat fish.', document: 'd1' }], {
      intent: none,
      documents: [{ id: 'd1' }, { id: 'd2' }],
    });
    expect(compose(input).text).toBe(
      'Neither of the two documents says anything about “penguins”; these points come nearest.\n\nSeals eat fish. [1]',
    );
  });
});
