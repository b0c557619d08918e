import { describe, expect, test } from 'vitest';
import type { Digest, Format } from '../../../src/contract/index.ts';
import { askedIn, goodBut } from '../../support/good-model.ts';
import { modelApp, statedIn } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';

const WHOLE = 'The council approved a congestion charge of 4 euros, and residents of the old town pay half the charge.';
const PART = 'residents of the old town pay half the charge';
const OTHER = 'Shopkeepers in the old town fear for their sales.';
/** What a model makes of the sentence. */
const OWN = [
  'A congestion charge of 4 euros was approved by the council.',
  'People who live in the old town pay only half the charge.',
];
const documents = [{ id: 'council', text: `${WHOLE} ${OTHER}` }];

/** Two statements of one sentence, the second with that quote. */
const extracting = (quote: string) =>
  goodBut(['extract'], () => {
    const keyPoints = [
      { text: OWN[0], quotes: [WHOLE] },
      { text: OWN[1], quotes: [quote] },
      { text: OTHER, quotes: [OTHER] },
    ];
    return { text: JSON.stringify({ keyPoints }) };
  });

/** How often the summary prints the words of the second statement's quote. */
function printed({ summary }: Digest): number {
  return summary.text.toLowerCase().split(PART).length - 1;
}

describe.each([
  ['the same quote', WHOLE],
  ['a quote within the other', PART],
])('two statements of one sentence with %s', (_, quote) => {
  const asking = (format: Format, verify: 'rules' | 'off') => ({
    documents,
    intent: 'What does the congestion charge cost, and who pays half of the charge?',
    selection: { size: { keyPoints: 3 }, relevance: { gate: null } },
    summary: { format },
    engine: { extractor: 'llm', writer: 'compose', verify } as const,
  });

  test.each(['report', 'bullets', 'brief'] as const)(
    'are printed once where the quotes are told, both cited: %s',
    async (format) => {
      const request = asking(format, 'rules');
      const digest = await (await modelApp(extracting(quote))).digest(request);
      const both = digest.keyPoints.filter(({ quote: own }) => own.text === WHOLE || own.text === PART);
      expect(both.map(({ selected }) => selected)).toEqual([true, true]);
      expect(printed(digest)).toBe(1);
      const telling = digest.summary.sentences.filter(({ keyPoints }) => keyPoints.includes(both[0].id));
      expect(telling).toHaveLength(1);
      expect(telling[0]).toMatchObject({ text: WHOLE, verification: 'verbatim' });
      expect(telling[0].keyPoints).toContain(both[1].id);
      const { digest: streamed } = await (await modelApp(extracting(quote))).streamed(request);
      expect(answered(streamed)).toEqual(answered(digest));
    },
  );

  test('are two where each is told in its own wording', async () => {
    const digest = await (await modelApp(extracting(quote))).digest(asking('report', 'off'));
    expect(statedIn(digest)).toEqual(expect.arrayContaining(OWN));
  });

  test.each(['report', 'bullets'] as const)('are printed once where a writer left them both: %s', async (format) => {
    const silent = goodBut(['write'], () => ({ text: 'Nothing of this cites anything.' }));
    const script = extracting(quote);
    const app = await modelApp((sent, index) => (askedIn(sent) === 'extract' ? script : silent)(sent, index));
    const digest = await app.digest({
      ...asking(format, 'rules'),
      engine: { extractor: 'llm', writer: 'llm', verify: 'rules' },
    });
    expect(printed(digest)).toBe(1);
  });
});
