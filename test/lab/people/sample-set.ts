import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';

const TRAM = 'The tram opened in May. It carries 9,000 people a day. Noise fell by a third.';
const PARK = 'The park is open at night. <b>Dogs</b> & cats are allowed on "leads".';

/** Where some words of a document stand. */
function spanOf(document: string, text: string, words: string) {
  const start = text.indexOf(words);
  if (start < 0) throw new Error(`"${words}" is not there`);
  return { document, start, end: start + words.length };
}

/** Three key points with spans, one without, and an insight with two passages. */
export const SAMPLE_SET: BenchmarkSet = {
  name: 'town',
  collections: [
    {
      id: 'town',
      documents: [
        { id: 'tram', title: 'The new tram', text: TRAM },
        { id: 'park', text: PARK },
      ],
    },
  ],
  cases: [
    {
      id: 'asked',
      collection: 'town',
      intent: 'What did the tram change?',
      keyPoints: [
        {
          text: 'The tram carries 9,000 people a day.',
          spans: [spanOf('tram', TRAM, 'It carries 9,000 people a day.')],
          usefulness: 0.9,
        },
        { text: 'It is quieter.', spans: [spanOf('tram', TRAM, 'Noise fell by a third.')], usefulness: 0.8 },
        { text: 'Pets <i>may</i> come.', spans: [spanOf('park', PARK, '<b>Dogs</b> & cats')], usefulness: 0.1 },
        { text: 'Nobody knows where this stands.' },
      ],
    },
    {
      id: 'unasked',
      collection: 'town',
      insights: [{ id: 'i1', text: 'Something opened.' }],
      passages: [
        { ...spanOf('tram', TRAM, 'The tram opened in May.'), insights: ['i1'] },
        { ...spanOf('park', PARK, 'The park is open at night.'), insights: ['i1'] },
        spanOf('park', PARK, 'Dogs'),
      ],
    },
  ],
  made: [],
};
