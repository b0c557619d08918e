import { describe, expect, test } from 'vitest';
import { digestOf } from '../support/digest-of.ts';
import { CITY } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

const SENTENCE = 'The council approved a congestion charge of 4 euros for cars in the old town.';
const INTENT = 'What congestion charge for cars in the old town has the council approved?';

describe.each([undefined, INTENT])('with the intent %s', (intent) => {
  const asked = (documents: readonly { id: string; text: string }[], more: object = {}) =>
    digestOf(testApp(), { documents, ...(intent !== undefined && { intent }), ...more });

  test('one sentence in one document', async () => {
    const { keyPoints, sources, selection, summary } = await asked([{ id: 'a', text: SENTENCE }]);
    expect(keyPoints).toMatchObject([{ document: 'a', text: SENTENCE, selected: true, rank: 1 }]);
    expect(keyPoints[0].quote).toEqual({ text: SENTENCE, start: 0, end: SENTENCE.length, status: 'exact' });
    expect(sources).toEqual([{ number: 1, document: 'a' }]);
    expect(summary.text).toContain(`${SENTENCE} [1]`);
    expect(selection.stoppedBy).toBe('exhausted');
  });

  test('one document of many sentences', async () => {
    const { keyPoints } = await asked([CITY[0]], { selection: { size: { keyPoints: 2 } } });
    expect(keyPoints.filter(({ selected }) => selected)).toHaveLength(2);
  });

  test('ten copies of one sentence in one document are one point', async () => {
    const { keyPoints, sources } = await asked([{ id: 'a', text: Array(10).fill(SENTENCE).join(' ') }]);
    expect(keyPoints).toHaveLength(1);
    expect(sources).toHaveLength(1);
  });

  test.each(['report', 'bullets', 'brief'] as const)(
    'one sentence in ten documents: said once, all ten cited, %s (P4)',
    async (format) => {
      const documents = Array.from({ length: 10 }, (_, i) => ({ id: `d${i}`, text: SENTENCE }));
      const { keyPoints, sources, summary, metrics } = await asked(documents, { summary: { format } });
      const selected = keyPoints.filter((point) => point.selected);
      expect(selected).toHaveLength(1);
      expect(keyPoints.filter(({ supports }) => supports === selected[0].id)).toHaveLength(9);
      const said = summary.sentences.filter(({ framing }) => !framing);
      expect(said).toHaveLength(1);
      expect(said[0].citations.map(({ document }) => document).sort()).toEqual(documents.map(({ id }) => id));
      expect(said[0].keyPoints).toHaveLength(10);
      expect(sources).toHaveLength(10);
      expect(summary.text).toContain('[1][2][3][4][5][6][7][8][9][10]');
      expect(metrics.citedDocuments).toBe(1);
    },
  );

  test('one sentence among others in ten documents: all ten cited (P4)', async () => {
    const documents = Array.from({ length: 10 }, (_, i) => ({
      id: `d${i}`,
      text: `${SENTENCE} ${CITY[i % CITY.length].text.split('. ').at(-1)}`,
    }));
    const { summary } = await asked(documents, { selection: { relevance: { gate: null } } });
    const said = summary.sentences.filter(({ text }) => text === SENTENCE);
    expect(said).toHaveLength(1);
    expect(said[0].citations.map(({ document }) => document).sort()).toEqual(documents.map(({ id }) => id));
  });

  test('the same text under two ids is read once and cited twice', async () => {
    const app = testApp();
    const documents = [
      { id: 'a', text: SENTENCE },
      { id: 'b', text: SENTENCE },
    ];
    const { sources, documents: statuses } = await digestOf(app, {
      documents,
      ...(intent !== undefined && { intent }),
    });
    expect(app.parts.engine.extracted).toEqual([SENTENCE]);
    expect(sources.map(({ document }) => document).sort()).toEqual(['a', 'b']);
    expect(statuses.map(({ status, keyPoints }) => [status, keyPoints])).toEqual([
      ['ok', 1],
      ['ok', 1],
    ]);
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t\r\n\u00a0\u3000'],
    ['zero-width characters', '\u200b\u200c\u200d\ufeff\u2060'],
    ['NUL', '\0\0\0'],
    ['punctuation', '... !!! --- ???'],
    ['emoji', '🎉🎉🎉 👩‍👩‍👧‍👦'],
    ['a question', 'Who will check the number plates?'],
    ['a heading', '# Minutes of 2 March'],
  ])('a document of %s is empty and stands in nobody’s way', async (_, text) => {
    const { status, documents, summary } = await asked([
      { id: 'odd', text },
      { id: 'a', text: SENTENCE },
    ]);
    expect(status).toBe('completed');
    expect(documents.find(({ id }) => id === 'odd')).toEqual({
      id: 'odd',
      status: 'empty',
      excluded: null,
      keyPoints: 0,
      error: null,
    });
    expect(summary.text).toContain(SENTENCE);
  });

  test('nothing but empty documents: a digest that says so', async () => {
    const { status, summary, sources, keyPoints, metrics } = await asked([
      { id: 'a', text: '' },
      { id: 'b', text: ' \n ' },
    ]);
    expect(status).toBe('completed');
    expect([sources, keyPoints]).toEqual([[], []]);
    expect(summary.sentences).toMatchObject([{ framing: true, citations: [] }]);
    expect(summary.sentences[0].text).toMatch(/^Neither of the two documents answers|make no statement/);
    expect(metrics).toMatchObject({ documentCoverage: 0, citedDocuments: 0, redundancy: null, relevance: null });
  });

  test('NUL, zero-width and odd white space inside a sentence stay in its quote', async () => {
    const text =
      'The coun\0cil approved\u200b a charge\u00a0of 4 euros\ufeff for cars.\r\nThe\u2028charge starts\u200d in September.';
    const { keyPoints } = await asked([{ id: 'a', text }]);
    expect(keyPoints.length).toBeGreaterThan(0);
    expect(text).toContain(keyPoints[0].quote.text);
  });

  test.each([
    ['Arabic', 'وافق المجلس على رسوم قدرها أربعة يورو للسيارات في المدينة القديمة. تبدأ الرسوم في الأول من سبتمبر.'],
    ['Hebrew', 'המועצה אישרה אגרת גודש של ארבעה אירו למכוניות בעיר העתיקה. האגרה תחל בספטמבר.'],
    ['Hindi', 'परिषद ने पुराने शहर में कारों के लिए चार यूरो का शुल्क मंजूर किया। शुल्क सितंबर में शुरू होगा।'],
    ['Chinese', '市议会批准对进入老城区的汽车收取四欧元的拥堵费。该收费将于九月一日开始实施。'],
    [
      'marks of direction',
      '\u202eThe council approved a charge of 4 euros.\u202c \u2067The charge starts in September.\u2069',
    ],
    ['astral letters', '𝒯𝒽ℯ council approved 😀 a charge of 4 euros. The 👩‍🔧 charge starts in September.'],
  ])('%s', async (_, text) => {
    const { keyPoints, documents } = await asked([{ id: 'a', text }]);
    expect(documents).toMatchObject([{ status: 'ok' }]);
    expect(keyPoints).toHaveLength(2);
  });

  test('more key points asked for than there are', async () => {
    const { keyPoints, selection } = await asked(CITY.slice(0, 2), {
      selection: { size: { keyPoints: 1000 }, relevance: { gate: null }, support: { threshold: null } },
      summary: { maxWords: null },
    });
    expect(selection.stoppedBy).toBe('exhausted');
    expect(keyPoints.every(({ selected }) => selected)).toBe(true);
  });
});

test.each(['word ', 'Word. ', '词'])('1 MB of %j', async (word) => {
  const documents = [
    { id: 'flood', text: word.repeat(Math.ceil(1_000_000 / word.length)) },
    { id: 'a', text: SENTENCE },
  ];
  const { summary, documents: statuses } = await digestOf(testApp(), { documents, intent: INTENT });
  expect(statuses.find(({ id }) => id === 'a')).toMatchObject({ status: 'ok', keyPoints: 1 });
  expect(summary.text).toContain(SENTENCE);
  expect(summary.text.length).toBeLessThan(10_000);
});

describe('a language that the encoder does not know', () => {
  const german = 'Die Einnahmen aus der neuen Gebühr fließen in das Netz der Straßenbahn und der Busse.';

  test('is said in the warnings, and shared words decide', async () => {
    const text = `Der Stadtrat hat eine Gebühr von vier Euro für Autos in der Altstadt beschlossen. ${german}`;
    const { warnings, summary } = await digestOf(testApp(), {
      documents: [{ id: 'a', text }, ...CITY],
      intent: 'Einnahmen für das Netz der Straßenbahn',
    });
    expect(warnings).toContainEqual(expect.stringMatching(/^One document is in German,/));
    expect(warnings).toContainEqual(expect.stringMatching(/^The intent is in German,/));
    expect(summary.text).toContain(german);
  });

  test.each([1, 10])('one sentence in %i documents, all cited', async (count) => {
    const documents = Array.from({ length: count }, (_, i) => ({ id: `d${i}`, text: german }));
    const { sources } = await digestOf(testApp(), { documents, intent: 'Einnahmen der Straßenbahn' });
    expect(sources).toHaveLength(count);
  });
});

describe('an intent that nothing matches', () => {
  test.each(['report', 'bullets'] as const)('says so and invents nothing, %s', async (format) => {
    const intent = 'Quantum physics of distant galaxies';
    const { summary, sources, keyPoints, status } = await digestOf(testApp(), {
      documents: CITY,
      intent,
      summary: { format },
    });
    expect(status).toBe('completed');
    expect(summary.sentences).toHaveLength(1);
    expect(summary.sentences[0]).toMatchObject({ framing: true, citations: [], keyPoints: [] });
    expect(summary.text).toBe(`None of the six documents says anything about “${intent}”.`);
    expect(sources).toEqual([]);
    expect(keyPoints.some(({ selected }) => selected)).toBe(false);
  });

  test('a facet that nothing matches is named beside what answers the others', async () => {
    const intent = 'What will the congestion charge do to sales? How heavy are neutron stars?';
    const { summary, selection } = await digestOf(testApp(), { documents: CITY, intent });
    expect(selection.relevance.facets).toEqual([
      'What will the congestion charge do to sales?',
      'How heavy are neutron stars?',
    ]);
    expect(summary.sentences.at(-1)).toMatchObject({
      framing: true,
      text: 'None of the six documents answers “How heavy are neutron stars?”.',
    });
    expect(summary.sentences[0].framing).toBe(false);
  });

  test.each(['', '  \n', '\u200b', '?', '\0'])('an intent of %j', async (intent) => {
    const { summary } = await digestOf(testApp(), { documents: CITY, intent });
    expect(summary.sentences.length).toBeGreaterThan(0);
  });

  test('a blank intent is none', async () => {
    const { selection, keyPoints } = await digestOf(testApp(), { documents: CITY, intent: ' \n' });
    expect(selection.relevance).toMatchObject({ gate: null, facets: [] });
    expect(keyPoints.every(({ relevance }) => relevance === 1)).toBe(true);
  });
});

test('ids that look like the names of fields of objects', async () => {
  const ids = ['__proto__', 'constructor', 'toString', '0', '[1]', 'a/b', 'ä\u0301', '😀', ' '];
  const documents = ids.map((id, i) => ({ id, text: `${SENTENCE} Number ${i} adds a remark of its own.` }));
  const { sources, documents: statuses } = await digestOf(testApp(), { documents, intent: INTENT });
  expect(statuses.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(sources.map(({ document }) => document).sort()).toEqual([...ids].sort());
});

test('weights at the ends of what is allowed', async () => {
  const documents = CITY.map((document, i) => ({ ...document, weight: i % 2 ? 1e-300 : 1e6 }));
  const { keyPoints } = await digestOf(testApp(), { documents });
  expect(keyPoints.some(({ selected }) => selected)).toBe(true);
});
