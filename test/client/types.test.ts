import { expect, expectTypeOf, test } from 'vitest';
import type {
  Collection,
  CollectionText,
  DrawsAnswer,
  KeptRequest,
  KeyPoints,
  SourceText,
} from '../../src/client/client.ts';
import {
  type Client,
  createClient,
  type Digest,
  type DigestEvent,
  type DigestInput,
  type DigestMap,
  type DigestState,
  isFinished,
  type PendingDigest,
  type SelectionsAnswer,
} from '../../src/client/index.ts';
import type { DigestRequest, Digest as OwnDigest } from '../../src/contract/index.ts';

const DOCUMENTS = [{ id: 'd1', text: 'Trams run.' }];

/** Requests that are to compile as they are written; the compiler is the test. */
const REQUESTS: readonly DigestInput[] = [
  { documents: DOCUMENTS },
  {
    collection: 'col_1',
    intent: { problem: 'What is new?', background: { digest: 'dig_1' }, publishedAfter: '2026-01-01' },
    selection: { strategy: 'dpp-map', size: { words: 200 } },
    summary: { format: 'bullets' },
    engine: { writer: 'compose' },
    callbackUrl: 'https://app.test/hook',
  },
  { documents: DOCUMENTS, intent: { problem: 'Trams?', background: 'They run.' } },
  // @ts-expect-error neither documents nor a collection
  { intent: 'Trams?' },
  // @ts-expect-error both
  { documents: DOCUMENTS, collection: 'col_1' },
  // @ts-expect-error no field of the wire
  { documents: DOCUMENTS, earlier: { digest: 'dig_1', points: [], documents: [] } },
  // @ts-expect-error no such background
  { collection: 'col_1', intent: { problem: 'Trams?', background: { collection: 'col_1' } } },
];

test('requests and answers have the types of the service', () => {
  expect(REQUESTS).toHaveLength(7);
  expectTypeOf<Digest>().toEqualTypeOf<OwnDigest>();
  expectTypeOf<Pick<DigestInput, 'selection' | 'engine'>>().toEqualTypeOf<
    Pick<DigestRequest, 'selection' | 'engine'>
  >();
  type Digests = Client['digests'];
  expectTypeOf<Digests['create']>().returns.resolves.toEqualTypeOf<Digest>();
  expectTypeOf<Digests['wait']>().returns.resolves.toEqualTypeOf<Digest>();
  expectTypeOf<Digests['submit']>().returns.resolves.toEqualTypeOf<PendingDigest>();
  expectTypeOf<Digests['get']>().returns.resolves.toEqualTypeOf<DigestState>();
  expectTypeOf<Digests['map']>().returns.resolves.toEqualTypeOf<DigestMap>();
  expectTypeOf<Digests['request']>().returns.resolves.toEqualTypeOf<KeptRequest>();
  expectTypeOf<Digests['document']>().returns.resolves.toEqualTypeOf<SourceText>();
  expectTypeOf<Digests['stream']>().returns.toEqualTypeOf<AsyncIterable<DigestEvent>>();
  expectTypeOf<Client['keyPoints']['extract']>().returns.resolves.toEqualTypeOf<KeyPoints>();
  expectTypeOf<Client['collections']['create']>().returns.resolves.toEqualTypeOf<Collection>();
  expectTypeOf<Client['collections']['getDocument']>().returns.resolves.toEqualTypeOf<CollectionText>();
});

test('an event is narrowed by its name, a state by whether it is finished', () => {
  const words = (event: DigestEvent): string => {
    if (event.event === 'digest') return event.data.summary.text;
    return event.event === 'sentence' ? event.data.text : event.event;
  };
  expect(words({ event: 'progress', id: 2, data: { stage: 'extract', done: 1, total: 2 } })).toBe('progress');
  const state: DigestState = { id: 'dig_1', status: 'queued', progress: null, createdAt: '' } as DigestState;
  if (isFinished(state)) expectTypeOf(state).toEqualTypeOf<Digest>();
  else expectTypeOf(state.createdAt).toEqualTypeOf<string>();
});

test('what a selection answers is told by whether it draws', () => {
  const { selections } = createClient({
    baseUrl: 'http://service.test',
    fetch: async () => new Response('{}', { status: 200 }),
  });
  const items = [{ id: 'a', text: 'Trams run.' }];
  expectTypeOf(selections.create({ items })).resolves.toEqualTypeOf<SelectionsAnswer>();
  expectTypeOf(selections.create({ items, draws: 3 })).resolves.toEqualTypeOf<DrawsAnswer>();
});
