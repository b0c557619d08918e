import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadSummHay, outputsOf, summHaySchema } from '../../../src/lab/loaders/summhay.ts';
import { citedDocuments, findMarkers } from '../../../src/text/index.ts';
import { summHay } from './samples.ts';

const read = summHaySchema.parse(summHay);

test('a case for every subtopic, with the documents that tell each insight in the order of the file', () => {
  const { collection, cases, counts } = loadSummHay(read);
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
  expect(counts).toEqual({ insightsWithoutDocument: 1 });
});

test.each([
  [{ participants: ['Ana', 'Ben'] }, 'conversation'],
  [{ participants: [] }, 'news'],
  [{ participants: null }, 'news'],
  [null, 'news'],
])('the domain of %j is %s', (topic_metadata, domain) => {
  const { cases } = loadSummHay(summHaySchema.parse({ ...summHay, topic_metadata }));
  expect(new Set(cases.map((each) => each.domain))).toEqual(new Set([domain]));
});

test('the summaries of other systems cite documents by their ids', () => {
  expect(outputsOf(read)).toEqual([
    {
      system: 'oracle_wise',
      case: 'trams/fares',
      bullets: ['Here are the insights:', '- Two euros a ride [a][c].', '* Free rides [b][c], it seems [sic].'],
    },
    { system: 'full', case: 'trams/fares', bullets: ['Fares [a][b] and more [7]; [c][9]'] },
  ]);
});

test('documents are numbered as the model was shown them where the file says so', () => {
  const documents = summHay.documents.map((document, place) => ({ ...document, idx: 2 - place }));
  const [{ bullets }] = outputsOf(summHaySchema.parse({ ...summHay, documents }));
  expect(bullets[1]).toBe('- Two euros a ride [c][a].');
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
  const ids = read.documents.map(({ document_id }) => document_id);
  fc.assert(
    fc.property(bullet, (written) => {
      const [subtopic] = read.subtopics;
      const [{ bullets }] = outputsOf({ ...read, subtopics: [{ ...subtopic, summaries: { one: [written] } }] });
      const cited = citedDocuments(findMarkers(bullets[0], new Set(ids)));
      const wanted = citedInPaper(written).map((number) => ids[number - 1] ?? String(number));
      expect(new Set(cited)).toEqual(new Set(wanted));
    }),
  );
});
