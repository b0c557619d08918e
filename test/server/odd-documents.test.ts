import { describe, expect, test } from 'vitest';
import { digestOf } from '../support/digest-of.ts';
import { CITY } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

const SENTENCE = 'The council approved a congestion charge of 4 euros for cars in the old town.';
const INTENT = 'What congestion charge for cars in the old town has the council approved?';

describe.each([undefined, INTENT])('with the intent %s', (intent) => {
  const asked = (documents: readonly { id: string; text: string }[], more: object = {}) =>
    digestOf(testApp(), { documents, ...(intent !== undefined && { intent }), ...more });

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
});
