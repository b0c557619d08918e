import { describe, expect, test } from 'vitest';
import { LIMITS, problemSchema } from '../../src/contract/index.ts';
import type { MetricName } from '../../src/evaluation/index.ts';
import { CITY } from '../support/documents.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { testApp } from '../support/test-deps.ts';

const good = { id: 'a', text: 'The council approved the charge.' };
const withDocument = (fields: object) => ({ documents: [{ ...good, ...fields }] });
const withIntent = (intent: unknown) => ({ documents: [good], intent });
const withSelection = (selection: unknown) => ({ documents: [good], selection });

const CHARGE = 'The council approved a congestion charge of 4 euros for cars in the old town.';
const SALES = 'Sales in the old town fell by 8 percent when the main bridge was closed last year.';
const PENGUINS = 'Penguins breed upon icy shores far south.';
const insights = [
  { id: 'charge', text: CHARGE, documents: ['council'] },
  { id: 'sales', text: SALES, documents: ['shops', 'meeting'] },
  { id: 'penguins', text: PENGUINS, documents: ['tram'] },
];
const documents = CITY.map(({ id, text }) => ({ id, text }));
const questions = [
  { question: 'What did the council approve?', answer: CHARGE, document: 'council' },
  { question: 'Where do penguins breed?', answer: PENGUINS, document: 'tram' },
];
const nuggets = [
  { id: 'charge', question: 'What did the council approve?', answers: [{ text: CHARGE, documents: ['council'] }] },
  { id: 'penguins', question: 'Where do penguins breed?', answers: [{ text: PENGUINS }] },
];

/** A request by each measure whose text is given. */
const GIVEN = {
  summhay: { metric: 'summhay', bullets: [`${CHARGE} [council, shops]`, `${SALES} [shops][meeting]`], insights },
  'key-point-recall': {
    metric: 'key-point-recall',
    answer: `${CHARGE} ${PENGUINS}`,
    keyPoints: [CHARGE, SALES],
    documents: documents.map(({ text }) => text),
  },
  argue: {
    metric: 'argue',
    report: {
      sentences: [
        { text: CHARGE, citations: ['council'] },
        { text: PENGUINS, citations: ['council'] },
      ],
    },
    nuggets,
    documents,
  },
  'source-coverage': {
    metric: 'source-coverage',
    summary: `${CHARGE} ${SALES}`,
    documents: documents.map(({ id }) => id),
    questions,
  },
} as const;

async function problemFor(body: unknown, path = '/v1/digests', app = testApp()) {
  const response = await app.post(path, body);
  const json = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(422);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = problemSchema.parse(json);
  expect(problem).toEqual(json);
  expect(problem).toMatchObject({ status: 422, type: 'urn:tessera:problem:invalid-request' });
  const pointers = problem.errors?.map(({ pointer }) => pointer) ?? [];
  for (const { detail } of problem.errors ?? []) expect(detail).not.toBe('');
  expect(app.parts.errors).toEqual([]);
  expect(app.parts.engine.extracted).toEqual([]);
  return { problem, pointers };
}

const refused: [name: string, body: unknown, ...pointers: string[]][] = [
  ['null', null, ''],
  ['a list', [], ''],
  ['nothing', {}, '/documents'],
  ['an empty list', { documents: [] }, '/documents'],
  ['documents that are no list', { documents: good }, '/documents'],
  ['a document that is null', { documents: [good, null] }, '/documents/1'],
  [
    'too many documents',
    { documents: Array.from({ length: LIMITS.documents + 1 }, (_, i) => ({ ...good, id: `${i}` })) },
    '/documents',
  ],
  ['an empty id', withDocument({ id: '' }), '/documents/0/id'],
  ['duplicate ids', { documents: [good, { ...good, text: 'Else.' }, good] }, '/documents/1/id', '/documents/2/id'],
  ['no text', { documents: [{ id: 'a' }] }, '/documents/0/text'],
  ['text that is null', withDocument({ text: null }), '/documents/0/text'],
  ['text over the limit', withDocument({ text: 'a'.repeat(LIMITS.documentCharacters + 1) }), '/documents/0/text'],
  ['a url that is none', withDocument({ url: 'not a url' }), '/documents/0/url'],
  ['a date that is none', withDocument({ publishedAt: 'yesterday' }), '/documents/0/publishedAt'],
  ['weight 0', withDocument({ weight: 0 }), '/documents/0/weight'],
  ['a weight beyond all numbers', '{"documents":[{"id":"a","text":"b","weight":1e999}]}', '/documents/0/weight'],
  [
    'several things',
    { documents: [{ id: 5, text: 6, weight: -1 }] },
    '/documents/0/id',
    '/documents/0/text',
    '/documents/0/weight',
  ],

  ['a number as intent', withIntent(5), '/intent'],
  ['a long intent', withIntent('why '.repeat(LIMITS.intentCharacters / 4 + 1)), '/intent'],
  ['a report request without a problem', withIntent({}), '/intent/problem'],
  ['a user story that is a number', withIntent({ problem: 'x', userStory: 3 }), '/intent/userStory'],

  ['an unknown strategy', withSelection({ strategy: 'magic' }), '/selection/strategy'],
  ['size 0', withSelection({ size: { keyPoints: 0 } }), '/selection/size/keyPoints'],
  ['no words', withSelection({ size: { words: 0 } }), '/selection/size/words'],
  ['a size that is a number', withSelection({ size: 12 }), '/selection/size'],
  [
    'a huge size',
    '{"documents":[{"id":"a","text":"b"}],"selection":{"size":{"keyPoints":1e300}}}',
    '/selection/size/keyPoints',
  ],
  ['a seed beyond the integers', withSelection({ seed: 2 ** 60 }), '/selection/seed'],
  ['sigma 0', withSelection({ kernel: { sigma: 0 } }), '/selection/kernel/sigma'],
  ['an unknown format', { documents: [good], summary: { format: 'prose' } }, '/summary/format'],
  ['an unknown encoder', { documents: [good], engine: { encoder: 'word2vec' } }, '/engine/encoder'],

  ['an unknown field', { documents: [good], collection: 'col_1' }, '/collection'],
  ['an unknown field of a document', withDocument({ author: 'x' }), '/documents/0/author'],
  [
    'a size that the strategy does not take',
    withSelection({ strategy: 'dpp-sample', size: 'auto' }),
    '/selection/size',
  ],
  ['words for an exact search', withSelection({ strategy: 'dpp-map-exact', size: { words: 9 } }), '/selection/size'],
  ['an unknown field of size', withSelection({ size: { keyPoints: 1, words: 2 } }), '/selection/size/words'],
  ['a field whose name needs escaping', { documents: [good], 'a/b~c': 1 }, '/a~1b~0c'],

  ['__proto__', '{"documents":[{"id":"a","text":"b"}],"__proto__":{"x":1}}', '/__proto__'],
  [
    '__proto__ in a document',
    '{"documents":[{"id":"a","text":"b","__proto__":{"weight":9}}]}',
    '/documents/0/__proto__',
  ],
  ['constructor', '{"documents":[{"id":"a","text":"b"}],"constructor":{"prototype":{"x":1}}}', '/constructor'],
  [
    'deep nesting in a field',
    `{"documents":[{"id":"a","text":${'['.repeat(45)}${']'.repeat(45)}}]}`,
    '/documents/0/text',
  ],
  [
    'deep nesting in an unknown field',
    `{"documents":[{"id":"a","text":"b"}],"x":${'{"x":'.repeat(45)}1${'}'.repeat(45)}}`,
    '/x',
  ],

  ['a lone surrogate in a title', withDocument({ title: '\udc00' }), '/documents/0/title'],
  ['a lone surrogate in a text', withDocument({ text: 'The charge \ud83d rises.' }), '/documents/0/text'],
  ['a pair the wrong way round', withDocument({ text: 'The charge \ude00\ud83d rises.' }), '/documents/0/text'],
  ['a lone surrogate in the intent', withIntent('why \ud800'), '/intent'],
];

const items = ['a', 'b'].map((id) => ({ id, text: 'The charge raised 40 million euros.' }));
const kernel = [
  [2, 0.5],
  [0.5, 1],
];
const selections: [name: string, body: unknown, pointer: string][] = [
  ['nothing to select from', {}, ''],
  ['two things to select from', { items, kernel }, '/kernel'],
  ['an intent without text', { kernel, intent: 'How?' }, '/intent'],
  ['a kernel without rows', { kernel: [] }, '/kernel'],
  ['a kernel of too many rows', { kernel: Array.from({ length: 1401 }, () => []) }, '/kernel'],
  ['a kernel that is not square', { kernel: [[1], [0]] }, '/kernel/0'],
  ['a row that is none', { kernel: [[1, 0], 'row'] }, '/kernel/1'],
  [
    'an entry that is no number',
    {
      kernel: [
        [1, null],
        [0, 1],
      ],
    },
    '/kernel/0/1',
  ],
  [
    'a negative diagonal entry',
    {
      kernel: [
        [1, 0],
        [0, -1],
      ],
    },
    '/kernel/1/1',
  ],
  [
    'a kernel that is not symmetric',
    {
      kernel: [
        [1, 0.5],
        [0.4, 1],
      ],
    },
    '/kernel/1/0',
  ],
  ['a query embedding without embeddings', { items, queryEmbedding: [1] }, '/queryEmbedding'],
  ['scores beside an intent', { items, intent: 'How?', relevanceScores: [1, 1] }, '/relevanceScores'],
  ['scores of another length', { kernel, relevanceScores: [1] }, '/relevanceScores'],
  ['kernel options for a given kernel', { kernel, selection: { kernel: { sigma: 1 } } }, '/selection/kernel'],
  [
    'token similarity of embeddings',
    { embeddings: [[1]], selection: { kernel: { similarity: 'bertscore' } } },
    '/selection/kernel/similarity',
  ],
  ['idf without tokens', { embeddings: [[1]], selection: { kernel: { idf: 1 } } }, '/selection/kernel/idf'],
  ['a gate without relevance', { items, selection: { relevance: { gate: 0.5 } } }, '/selection/relevance/gate'],
  ['words without text', { kernel, selection: { size: { words: 10 } } }, '/selection/size'],
  ['a weight of background without one', { items, selection: { background: { weight: 2 } } }, '/selection/background'],
  ['an encoder without text', { kernel, engine: { encoder: 'hashed-words' } }, '/engine/encoder'],
  ['an encoder that is not there', { items, engine: { encoder: 'x' } }, '/engine/encoder'],
  ['two items of one id', { items: [items[0], items[0]] }, '/items/1/id'],
  ['vectors of two lengths', { embeddings: [[1], [1, 2]] }, '/embeddings/1'],
  ['a query of another length', { embeddings: [[1]], queryEmbedding: [1, 2] }, '/queryEmbedding'],
  ['an unknown field', { items, documents: [] }, '/documents'],
];

const one = { metric: 'summhay', bullets: ['x'], insights };
const of = (metric: MetricName, more: object) => ({ ...GIVEN[metric], ...more });
const repeated = [insights[0], insights[0]];
/** Pointers among those that are named. */
const evaluations: [pointer: string, body: unknown][] = [
  ['/metric', {}],
  ['/metric', { ...one, metric: 'rouge' }],
  ['/metric', { ...one, metric: 'constructor' }],
  ['', []],
  ['/insights', { ...one, insights: [] }],
  ['/insights', { ...one, insights: undefined }],
  ['/insights/1/id', { ...one, insights: repeated }],
  ['/insights/0/text', { ...one, insights: [{ id: 'a', text: ' ' }] }],
  ['/insights/0/documents/0', { ...one, documents: ['shops'] }],
  ['/bullets', { ...one, bullets: undefined }],
  ['/digest', { ...one, digest: 'dig_0' }],
  ['/surplus', { ...one, surplus: 1 }],
  ['/nuggets', { ...one, nuggets: [] }],
  ['/insights/0/weight', { ...one, insights: [{ ...insights[0], weight: 1 }] }],
  ['/bullets/0', { ...one, bullets: ['half \ud800'] }],
  ['/bullets', { ...one, bullets: Array.from({ length: 1001 }, () => 'x') }],
  ['/bullets/0', { ...one, bullets: ['x'.repeat(20_001)] }],
  ['/judge', { ...one, judge: 'people' }],
  ['/judge', { ...one, judge: 'llm' }],
  ['/engine/encoder', { ...one, engine: { encoder: 'unheard-of' } }],
  ['/engine/writer', { ...one, engine: { writer: 'compose' } }],
  ['/engine/stages/write', { ...one, engine: { stages: { write: {} } } }],
  ['/keyPoints', of('key-point-recall', { keyPoints: [] })],
  ['/answer', of('key-point-recall', { answer: undefined })],
  ['/digest', of('key-point-recall', { digest: 'dig_0' })],
  ['/documents', of('key-point-recall', { documents: [] })],
  ['/documents/0', of('key-point-recall', { documents: ['\udc00'] })],
  ['/report', of('argue', { report: undefined })],
  ['/documents', of('argue', { documents: undefined })],
  ['/digest', of('argue', { digest: 'dig_0' })],
  ['/nuggets/1/id', of('argue', { nuggets: [nuggets[0], nuggets[0]] })],
  ['/nuggets/0/weight', of('argue', { nuggets: [{ ...nuggets[0], weight: 0 }] })],
  ['/documents/6/id', of('argue', { documents: [...documents, documents[0]] })],
  ['/options/average', of('argue', { options: { average: 'median' } })],
  ['/report/sentences/0/citations', of('argue', { report: { sentences: [{ text: 'x' }] } })],
  ['/report', of('argue', { report: 'Traffic fell [7].' })],
  ['/report', of('argue', { report: 'Traffic fell [council, nowhere].' })],
  ['/report', of('argue', { report: 5 })],
  ['/sources', of('argue', { sources: ['council'] })],
  ['/sources/1', of('argue', { report: 'Traffic fell [1].', sources: ['council', 'nowhere'] })],
  ['/digest', of('argue', { report: 'Traffic fell.', digest: 'dig_0' })],
  ['/bullets', { ...one, bullets: 'Traffic fell [5].', documents: ['council', 'shops', 'meeting', 'tram'] }],
  ['/sources', { ...one, sources: ['council'] }],
  ['/summary', of('source-coverage', { summary: undefined })],
  ['/documents', of('source-coverage', { documents: undefined })],
  ['/documents/1', of('source-coverage', { documents: ['council', 'council'] })],
  ['/questions', of('source-coverage', { questions: [] })],
  ['/questions/1/document', of('source-coverage', { documents: ['council'] })],
];

const collections: [name: string, body: unknown, pointer: string][] = [
  ['an unknown field', { title: 'x' }, '/title'],
  ['no name in it', { name: '' }, '/name'],
  ['a long name', { name: 'x'.repeat(201) }, '/name'],
  ['half a character', { name: 'a\ud800' }, '/name'],
  ['another kind', { name: 3 }, '/name'],
  ['no object', [], ''],
];

describe('refuses with a pointer', () => {
  test.each(refused)('%s', async (_, body, ...expected) => {
    const { pointers } = await problemFor(body);
    expect([...new Set(pointers)].sort()).toEqual([...expected].sort());
  });

  test.each(selections)('a selection with %s', async (_, body, pointer) => {
    expect((await problemFor(body, '/v1/selections')).pointers[0]).toBe(pointer);
  });

  test.each(evaluations)('%s of an evaluation, case %#', async (pointer, body) => {
    const app = testApp();
    expect((await problemFor(body, '/v1/evaluations', app)).pointers).toContain(pointer);
    expect(app.parts.engine.encoder.calls).toEqual([]);
  });

  test.each(collections)('a collection with %s', async (_, body, pointer) => {
    expect((await problemFor(body, '/v1/collections')).pointers).toEqual([pointer]);
  });

  test('bertscore of an encoder without token vectors', async () => {
    const plain = new HashedWordsEncoder({ id: 'plain/1', tokenDimensions: 0 });
    const app = testApp({ engine: new InProcessEngine({ plain }) });
    const body = {
      documents: [good],
      engine: { encoder: 'plain' },
      selection: { kernel: { similarity: 'bertscore' } },
    };
    const { pointers } = await problemFor(body, '/v1/digests', app);
    expect(pointers).toEqual(['/selection/kernel/similarity']);
  });

  test('what /v1/key-points refuses too', async () => {
    for (const [body, pointer] of [
      [{ documents: [] }, '/documents'],
      [withDocument({ text: '\ud800' }), '/documents/0/text'],
      [withDocument({ author: 'x' }), '/documents/0/author'],
      [{ documents: [good], engine: { extractor: 'llm' } }, '/engine/extractor'],
    ] as const) {
      expect((await problemFor(body, '/v1/key-points')).pointers).toEqual([pointer]);
    }
  });
});
