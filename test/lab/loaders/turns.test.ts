import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadMeeting, loadQmsum, meetingSchema, qmsumSchema } from '../../../src/lab/loaders/meetings.ts';
import { meeting, qmsum } from './samples.ts';

test('a specific query has a passage for each stretch, a general one its summary alone', () => {
  const { collection, cases } = loadQmsum(qmsumSchema.parse(qmsum), 'covid_2');
  const [{ id, text }] = collection.documents;
  expect(id).toBe('covid_2');
  expect(text).toBe(
    'Industrial Designer: Shall we begin ?\nMarketing: Which colour ? {laugh}\nDr. Ö: Yellow 🟡 .\nMarketing: \n',
  );
  const [general, specific] = cases;
  expect(general).toEqual({
    id: 'covid_2/general-1',
    collection: 'covid_2',
    intent: 'Summarize the whole meeting.',
    questionKind: 'general',
    reference: 'They spoke of a remote.',
  });
  expect(specific).toMatchObject({ id: 'covid_2/specific-1', questionKind: 'specific', reference: 'Yellow.' });
  expect(specific.passages?.map(({ start, end }) => text.slice(start, end))).toEqual([
    'Marketing: Which colour ? {laugh}\nDr. Ö: Yellow 🟡 .',
    'Marketing: ',
  ]);
});

test('stretches that there are not are left out and counted', () => {
  const [query] = qmsum.specific_query_list;
  const marked = (spans: unknown) => ({ ...query, relevant_text_span: spans });
  const queries = [
    marked([
      ['2', '1'],
      ['0', '0'],
    ]),
    marked([['1', '4']]),
  ];
  const { cases, counts } = loadQmsum(qmsumSchema.parse({ ...qmsum, specific_query_list: queries }), 'm');
  expect(cases.map(({ passages }) => passages)).toEqual([undefined, [{ document: 'm', start: 0, end: 37 }], undefined]);
  expect(counts).toEqual({ impossibleStretches: 2 });
});

test('any stretch of turns slices to its turns', () => {
  const turn = fc.record({
    speaker: fc.string({ unit: 'grapheme', minLength: 1 }),
    content: fc.string({ unit: 'grapheme' }),
  });
  const turns = fc.array(turn, { minLength: 1, maxLength: 8 });
  const withStretch = turns.chain((spoken) =>
    fc
      .tuple(fc.nat(spoken.length - 1), fc.nat(spoken.length - 1))
      .map(([one, other]) => ({ spoken, from: Math.min(one, other), to: Math.max(one, other) })),
  );
  fc.assert(
    fc.property(withStretch, ({ spoken, from, to }) => {
      const query = { query: 'What?', answer: 'That.', relevant_text_span: [[String(from), String(to)]] };
      const record = { general_query_list: [], specific_query_list: [query], meeting_transcripts: spoken };
      const { collection, cases } = loadQmsum(qmsumSchema.parse(record), 'm');
      const [{ start, end }] = cases[0].passages ?? [];
      const said = spoken.slice(from, to + 1).map(({ speaker, content }) => `${speaker}: ${content}`);
      expect(collection.documents[0].text.slice(start, end)).toBe(said.join('\n'));
    }),
  );
});

test('a stretch of a transcript with places is one passage from its first turn to its last', () => {
  const { collection, cases } = loadMeeting(meetingSchema.parse(meeting));
  const [{ text }] = collection.documents;
  expect(cases.map(({ passages }) => passages?.map(({ start, end }) => text.slice(start, end)))).toEqual([
    ['Ben: Soup?\nAna: Soup.', 'Ana: Hello.'],
    [],
  ]);
  expect(cases.map(({ id, reference }) => [id, reference])).toEqual([
    ['m1/1', 'Soup.'],
    ['m1/2', undefined],
  ]);
});
