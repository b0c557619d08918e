import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitToWords } from '../../src/selection/fit-to-words.ts';
import { compose } from '../../src/summary/compose.ts';
import { countWords } from '../../src/summary/count-words.ts';
import { framingReserve } from '../../src/summary/framing.ts';
import { sentenceText } from '../../src/summary/sentence-text.ts';
import type { ComposeInput, Summary } from '../../src/summary/summary.ts';
import { inputOf, similarityOf } from './points.ts';
import { remoteWork } from './remote-work.ts';

/** Reads the text from its start: nothing may stand in it but the sentences, their markers and the layout. */
function expectTextIsJoin({ text, sentences, sources }: Summary, format: ComposeInput['format']) {
  const numbers = new Map(sources.map((source) => [source.document, source.number]));
  let at = 0;
  for (const sentence of sentences) {
    const cited = sentence.citations.map((citation) => numbers.get(citation.document) ?? -1).sort((a, b) => a - b);
    const markers = cited.length > 0 ? ` ${cited.map((number) => `[${number}]`).join('')}` : '';
    const bullet = format === 'bullets' && !sentence.framing ? '- ' : '';
    const separators = at === 0 ? [''] : format === 'bullets' ? ['\n', '\n\n'] : [' ', '\n\n'];
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
    expect(new Set(sentence.citations.map((citation) => citation.document)).size).toBe(sentence.citations.length);
  }
  for (const point of input.points) {
    const citing = summary.sentences.filter((sentence) => sentence.keyPoints.includes(point.id));
    expect(citing).toHaveLength(1);
    expect(citing[0]?.keyPoints[0]).toBe(point.id);
    expect(citing[0]?.citations[0]).toEqual({ document: point.document, quote: point.quote });
  }
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
  ),
);
const written = fc.array(
  fc.record({
    text: wording,
    document: documentId,
    relevance: fc.double({ min: -1, max: 1, noNaN: true }),
    also: fc.array(fc.tuple(documentId, wording), { maxLength: 4 }),
  }),
  { maxLength: 12 },
);
const intent = fc.option(
  fc.record({
    text: wording,
    matched: fc.boolean(),
    facets: fc.array(fc.record({ text: wording, matched: fc.boolean() }), { maxLength: 6 }),
  }),
);
const format = fc.constantFrom('report' as const, 'bullets' as const);

describe('compose', () => {
  it('keeps its promises on any input', () => {
    fc.assert(
      fc.property(written, intent, format, fc.option(fc.nat(200)), (points, asked, layout, maxWords) => {
        const input = inputOf(points, { intent: asked, format: layout, maxWords });
        expectPromises(compose(input), input);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps within maxWords once the points are fitted', () => {
    fc.assert(
      fc.property(written, intent, format, fc.integer({ min: 1, max: 120 }), (points, asked, layout, maxWords) => {
        const input = inputOf(points, { intent: asked, format: layout, maxWords });
        const lengths = input.points.map((point) => countWords(sentenceText(point)));
        const kept = fitToWords(lengths, maxWords, framingReserve(input)).map((position) => input.points[position]);
        const { sentences } = compose({ ...input, points: kept, similarity: similarityOf(kept) });
        const words = sentences.map((sentence) => countWords(sentence.text));
        const total = words.reduce((sum, count) => sum + count, 0);
        if (kept.length > 1) expect(total).toBeLessThanOrEqual(maxWords);
        if (kept.length === 1 && total > maxWords) expect(sentences.filter((each) => each.framing)).toEqual([]);
        if (kept.length > 0 && layout === 'report' && kept.length > 1 && asked?.matched !== false) {
          expect(sentences[0]?.framing).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on the order of the documents', () => {
    fc.assert(
      fc.property(written, format, (points, layout) => {
        const input = inputOf(points, { format: layout });
        expect(compose({ ...input, documents: [...input.documents].reverse() })).toEqual(compose(input));
      }),
    );
  });

  it.each([0, 1, 2, 6, 50])('takes %i points with any similarity', (count) => {
    for (const value of [1, 0, -1, Number.NaN]) {
      const points = Array.from({ length: count }, () => ({ text: 'The same words.', document: 'd1' }));
      const input = inputOf(points, { similarity: new Float32Array(count * count).fill(value) });
      const summary = compose(input);
      expectPromises(summary, input);
      const paragraphs = summary.text.split('\n\n').slice(1);
      expect(paragraphs.length).toBe(Math.ceil(count / 5));
    }
  });

  it('writes a report that can be sent', () => {
    const input = remoteWork();
    const summary = compose(input);
    expectPromises(summary, input);
    expect(summary.text).toMatchInlineSnapshot(`
      "Twelve points from all eight documents bear on the question “How does remote work affect employees and productivity, and what does it do to office rents?”; four of them have more than one source. No document speaks to “what remote work does to office rents”.

      Loneliness is the complaint that remote employees raise most often. [1][2][3][4] Sources differ on whether remote work “increases” or “reduces” productivity. Remote work increases productivity because employees lose no time to commuting. [1][5][6] Remote work reduces productivity, since every question becomes a meeting. [3] Loneliness falls when remote employees meet their team once a week. [2]

      Sources differ: “72 minutes” (Survey of Working Arrangements) against “40 minutes” (Ministry of Labour: Annual Report). Employees save 72 minutes a day by not commuting. [1][6] Employees save 40 minutes a day by not commuting. [7] Junior employees are promoted more slowly when they work remotely. [4][6] Junior employees learn less from colleagues they never meet (4). [3]

      Maria Lopez: The company should pay for the home office. [4] A desk, a chair and a screen for the home office cost the company about $1,200. [2]

      Downtown cafés have lost a third of their lunch guests. [8] Half of the ministry’s buildings stand empty on Fridays. [7]"
    `);
  });

  it('writes bullets by rank, notices first', () => {
    const summary = compose(remoteWork({ format: 'bullets' }));
    const [notice, ...bullets] = summary.text.split('\n').filter((line) => line !== '');
    expect(notice).toBe('No document speaks to “what remote work does to office rents”.');
    expect(bullets).toHaveLength(12);
    expect(bullets[0]).toBe(
      '- Remote work increases productivity because employees lose no time to commuting. [1][2][3]',
    );
    const cited = summary.sentences.filter((sentence) => !sentence.framing).map((sentence) => sentence.keyPoints[0]);
    expect(cited).toEqual(Array.from({ length: 12 }, (_, index) => `kp${index + 1}`));
  });
});

describe('disagreement', () => {
  const two = { text: 'The plan created 2 million jobs.', document: 'd1' };
  const three = { text: 'The plan created 3 million jobs.', document: 'd2' };
  const between = Array.from({ length: 4 }, (_, index) => ({
    text: `Aside number ${index} on roads.`,
    document: 'd3',
  }));

  it('sets opposed points side by side and says on what they differ', () => {
    const { text, sentences } = compose(inputOf([two, ...between, three]));
    expect(text).toContain(
      'Sources differ: “2 million jobs” against “3 million jobs”. The plan created 2 million jobs. [1] The plan created 3 million jobs. [2]',
    );
    expect(sentences.flatMap((sentence) => sentence.disagreement?.with ?? [])).toEqual(['kp6', 'kp1']);
  });

  it('marks bullets without adding to them', () => {
    const { sentences } = compose(inputOf([two, ...between, three], { format: 'bullets' }));
    expect(sentences).toHaveLength(6);
    expect(sentences[0]?.disagreement).toEqual({
      with: ['kp6'],
      on: '“2 million jobs” against “3 million jobs”',
    });
  });

  it('does not cite as support what says the opposite', () => {
    const joined = { ...two, also: [['d2', three.text] as const, ['d3', 'The plan made 2 million jobs.'] as const] };
    const { sentences, text } = compose(inputOf([joined]));
    expect(sentences[2]).toMatchObject({ keyPoints: ['kp1', 'kp1-2'], disagreement: { with: ['kp1-1'] } });
    expect(sentences[2]?.citations.map((citation) => citation.document)).toEqual(['d1', 'd3']);
    expect(sentences[3]).toMatchObject({ keyPoints: ['kp1-1'], disagreement: { with: ['kp1'] } });
    expect(text).toContain('The plan created 2 million jobs. [1][2] The plan created 3 million jobs. [3]');
    const bullets = compose(inputOf([joined], { format: 'bullets' })).sentences;
    expect(bullets).toHaveLength(1);
    expect(bullets[0]?.disagreement?.with).toEqual(['kp1-1']);
  });

  it('lets one document say different things', () => {
    const { sentences } = compose(inputOf([two, { ...three, document: 'd1' }]));
    expect(sentences.every((each) => !each.disagreement)).toBe(true);
  });

  it('names documents of different years with what they say', () => {
    const documents = [
      { id: 'd1', title: 'Report', publishedAt: '2014-01-28T08:00:00Z' },
      { id: 'd2', title: 'State of the Union 2016', publishedAt: '2016-01-12' },
    ];
    expect(compose(inputOf([two, three], { documents })).text).toContain(
      'Sources differ: “2 million jobs” (Report, 2014-01-28) against “3 million jobs” (State of the Union 2016). The',
    );
  });

  it('speaks of speakers where one document holds both', () => {
    const sides = [
      { text: 'We should ban fracking.', document: 'd1', speaker: 'Lee' },
      { text: 'We should allow fracking.', document: 'd1', speaker: 'Kim' },
    ];
    expect(compose(inputOf(sides)).text).toContain(
      'Speakers differ on whether we should “ban” or “allow” fracking. Lee: We',
    );
  });
});

describe('an intent without an answer', () => {
  const none = { text: 'penguins', facets: [], matched: false };

  it('is said, and nothing is invented', () => {
    const input = inputOf([], { intent: none, documents: [{ id: 'd1' }, { id: 'd2' }] });
    const { text, sentences, sources } = compose(input);
    expect(text).toBe('No document speaks to “penguins”.');
    expect(sentences).toHaveLength(1);
    expect(sources).toEqual([]);
    expect(compose({ ...input, maxWords: 1 }).text).toBe(text);
  });

  it('is said before what came nearest', () => {
    const input = inputOf([{ text: 'Seals eat fish.', document: 'd1' }], {
      intent: none,
      documents: [{ id: 'd1' }, { id: 'd2' }],
    });
    expect(compose(input).text).toBe(
      'No document speaks to “penguins”; what follows is the nearest they come to it.\n\nSeals eat fish. [1]',
    );
  });
});
