import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputsOf, PUBLISHED, summHaySchema } from '../../../src/lab/loaders/formats.ts';
import { tally } from '../../../src/lab/makers/asked-model.ts';
import { citedDocuments, findMarkers } from '../../../src/text/index.ts';
import { diverseSumm, haystack, meeting, summHay } from './samples.ts';

/** What a format makes of a record, and what it counts. */
function read(format: keyof typeof PUBLISHED, record: unknown, name = 'file') {
  const { counts, count } = tally();
  const loaded = PUBLISHED[format].parse(record)(name, count);
  return { ...loaded, counts: counts() };
}

const TRAMS = summHaySchema.parse(summHay);

test('a case for every subtopic, with the documents that tell each insight in the order of the file', () => {
  const { collection, cases } = read('summhay', summHay);
  expect(collection.documents.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(cases).toEqual([
    {
      id: 'trams/fares',
      collection: 'trams',
      intent: 'What do riders pay?',
      domain: 'news',
      insights: [
        { id: 'i1', text: 'A ride costs two euros.', documents: ['a', 'c'] },
        { id: 'i2', text: 'Children ride for free.', documents: ['b', 'c'] },
        { id: 'i3', text: 'Rides cost more at night.' },
      ],
    },
    {
      id: 'trams/depot',
      collection: 'trams',
      intent: 'Where do trams sleep?',
      domain: 'news',
      insights: [{ id: 'i4', text: 'The depot stands by the river.', documents: ['b'] }],
    },
  ]);
});

test.each([
  [{ participants: ['Ana', 'Ben'] }, 'conversation'],
  [{ participants: [] }, 'news'],
  [{ participants: null }, 'news'],
  [null, 'news'],
])('the domain of %j is %s', (topic_metadata, domain) => {
  const { cases } = read('summhay', { ...summHay, topic_metadata });
  expect(new Set(cases.map((each) => each.domain))).toEqual(new Set([domain]));
});

test('the summaries of other systems cite documents by their ids', () => {
  expect(outputsOf(TRAMS)).toEqual([
    {
      system: 'oracle_wise',
      case: 'trams/fares',
      bullets: ['Here are the insights:', '- Two euros a ride [a][c].', '* Free rides [b][c], it seems [sic].'],
    },
    { system: 'full', case: 'trams/fares', bullets: ['Fares [a][b] and more [7]; [c][9]'] },
  ]);
});

/** As the paper's own evaluation reads citations (`extract_citations` of `utils_eval.py`): digits between commas. */
function citedInPaper(bullet: string): number[] {
  return [...bullet.matchAll(/\[([\d, ]+)\]/g)].flatMap(([, inside]) =>
    inside.split(',').flatMap((part) => (part.trim() === '' ? [] : [Number(part.trim())])),
  );
}

test('a summary cites the documents that the evaluation of the paper reads', () => {
  const bracket = fc
    .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 })
    .chain((numbers) => fc.constantFrom(', ', ',').map((between) => `[${numbers.join(between)}]`));
  const bullet = fc
    .array(fc.oneof(bracket, fc.constantFrom('Fares rose ', ' and fell', ' [sic]', '.')))
    .map((parts) => parts.join(''));
  const ids = TRAMS.documents.map(({ document_id }) => document_id);
  fc.assert(
    fc.property(bullet, (written) => {
      const [subtopic] = TRAMS.subtopics;
      const [{ bullets }] = outputsOf({ ...TRAMS, subtopics: [{ ...subtopic, summaries: { one: [written] } }] });
      const cited = citedDocuments(findMarkers(bullets[0], new Set(ids)));
      const wanted = citedInPaper(written).map((number) => ids[number - 1] ?? String(number));
      expect(new Set(cited)).toEqual(new Set(wanted));
    }),
  );
});

const event = read('diversesumm', diverseSumm);

test('articles with text are the documents; what is no title or address is left out', () => {
  expect(event.collection).toEqual({
    id: 'flood',
    documents: [
      { id: 'a0', title: 'Flood', url: 'https://news.example/flood', text: 'Three bridges fell.' },
      { id: 'a2', text: 'Four bridges fell, says the mayor.' },
      { id: 'a3', title: 'Water', text: 'The water rose by a metre.' },
    ],
  });
});

test('each article answers a question once, with its first answer, and stands where it stands in the collection', () => {
  expect(event.cases[0].questions).toEqual([
    { question: 'How many bridges fell?', answer: 'Three.', document: 'a0', position: 0 },
    { question: 'How many bridges fell?', answer: 'Four.', document: 'a2', position: 1 },
    { question: 'How far did the water rise?', answer: 'By a metre.', document: 'a3', position: 2 },
  ]);
});

test('a nugget has an answer for each group that still has one, and a question without any is none', () => {
  expect(event.cases[0].nuggets).toEqual([
    {
      id: 'q1',
      question: 'How many bridges fell?',
      answers: [
        { text: 'Three.', documents: ['a0'] },
        { text: 'Four.', documents: ['a2'] },
      ],
    },
    { id: 'q2', question: 'How far did the water rise?', answers: [{ text: 'By a metre.', documents: ['a3'] }] },
  ]);
});

test('what is left out is counted', () => {
  expect(event.counts).toEqual({
    emptyDocuments: 1,
    unusableAnswers: 4,
    questionsWithoutAnswer: 1,
    unusableUrls: 1,
  });
});

test('passages of a case are the arguments labelled with its insights, and with no other', () => {
  const { collection, cases } = read('haystack', haystack, 'h1');
  const texts = new Map(collection.documents.map(({ id, text }) => [id, text]));
  const told = cases.map(({ passages = [] }) =>
    passages.map(({ document, start, end, insights }) => [texts.get(document)?.slice(start, end), insights]),
  );
  expect(told).toEqual([
    [
      ['Trams are quiet.', ['quiet']],
      ['Trams are cheap.', ['cheap', 'quiet']],
    ],
    [
      ['Trams are cheap.', ['dear']],
      ['Trams are dear.', ['dear']],
    ],
  ]);
  expect(cases.map(({ id, intent }) => [id, intent])).toEqual([
    ['h1/1', 'Trams are good'],
    ['h1/2', 'Trams are bad'],
  ]);
  expect(cases[0].insights?.map(({ id, documents }) => [id, documents])).toEqual([
    ['quiet', ['d1']],
    ['cheap', ['d1']],
    ['green', undefined],
  ]);
});

test('stretches that there are not are left out and counted', () => {
  const relevantTurns = [
    [2, 1],
    [0, 0],
    [1, 3],
  ];
  const { cases, counts } = read('meetings', { ...meeting, queries: [{ intent: 'What?', relevantTurns }] });
  expect(cases.map(({ passages }) => passages)).toEqual([[{ document: 'm1', start: 0, end: 11 }]]);
  expect(counts).toEqual({ impossibleStretches: 2 });
});

test('a stretch of a transcript with places is one passage from its first turn to its last', () => {
  const { collection, cases } = read('meetings', meeting);
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
