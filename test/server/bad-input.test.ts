import { describe, expect, test } from 'vitest';
import { LIMITS, problemSchema } from '../../src/contract/index.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { testApp } from '../support/test-deps.ts';

const good = { id: 'a', text: 'The council approved the charge.' };
const withDocument = (fields: object) => ({ documents: [{ ...good, ...fields }] });
const withIntent = (intent: unknown) => ({ documents: [good], intent });
const withSelection = (selection: unknown) => ({ documents: [good], selection });

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
    `{"documents":[{"id":"a","text":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`,
    '/documents/0/text',
  ],
  [
    'deep nesting in an unknown field',
    `{"documents":[{"id":"a","text":"b"}],"x":${'{"x":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    '/x',
  ],

  ['a lone surrogate in a title', withDocument({ title: '\udc00' }), '/documents/0/title'],
  ['a lone surrogate in a text', withDocument({ text: 'The charge \ud83d rises.' }), '/documents/0/text'],
  ['a pair the wrong way round', withDocument({ text: 'The charge \ude00\ud83d rises.' }), '/documents/0/text'],
  ['a lone surrogate in the intent', withIntent('why \ud800'), '/intent'],
];

describe('refuses with a pointer', () => {
  test.each(refused)('%s', async (_, body, ...expected) => {
    const { pointers } = await problemFor(body);
    expect([...new Set(pointers)].sort()).toEqual([...expected].sort());
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
