import { describe, expect, test } from 'vitest';
import { DEFAULT_WORKERS_AI, type EncoderSpecs, missingBinding, readEncoderSpecs } from '../../../src/models/index.ts';

const KEY = { OPENAI_API_KEY: 'sk-1' };

function read(specs: unknown, environment: Readonly<Record<string, string>> = KEY): EncoderSpecs {
  const found = readEncoderSpecs({ TESSERA_ENCODERS: JSON.stringify(specs), ...environment });
  if ('problem' in found) throw new Error(found.problem);
  return found.specs;
}

function problem(specs: unknown, environment: Readonly<Record<string, string>> = KEY): string {
  const found = readEncoderSpecs({ TESSERA_ENCODERS: JSON.stringify(specs), ...environment });
  return 'problem' in found ? found.problem : 'none';
}

test('defaults', () => {
  const specs = read({
    small: { kind: 'openai', model: 'text-embedding-3-small' },
    short: { kind: 'openai', model: 'text-embedding-3-large', dimensions: 256 },
    named: { kind: 'transformers', model: 'org/model.v1' },
    rank: { kind: 'rerank', model: 'm', baseUrl: 'http://h' },
  });
  const plain = { queryPrefix: '', textPrefix: '', languages: null };
  expect(specs.openai.get('small')).toEqual({
    ...{ kind: 'openai', model: 'text-embedding-3-small', dimensions: 1536, shortened: false, maxCharacters: 8000 },
    ...{ endpoint: { baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-1' }, ...plain },
  });
  expect(specs.openai.get('short')).toMatchObject({ dimensions: 256, shortened: true });
  expect(specs.transformers.get('named')).toEqual({
    ...{ kind: 'transformers', model: 'org/model.v1', dtype: 'q8', pooling: 'mean', maxTokens: 512, ...plain },
  });
  expect(specs.rerank.get('rank')).toEqual({
    ...{ kind: 'rerank', model: 'm', path: '/rerank', languages: null, matched: 0.1 },
    ...{ endpoint: { baseUrl: 'http://h', apiKey: null } },
  });
});

test('OPENAI_API_KEY goes to OPENAI_BASE_URL and nowhere else', () => {
  const endpointOf = (spec: object, environment: Readonly<Record<string, string>>) =>
    read({ e: { kind: 'openai', model: 'm', dimensions: 2, ...spec } }, environment).openai.get('e')?.endpoint;
  const OPENAI_BASE_URL = 'http://own/v1/';
  expect(endpointOf({}, { ...KEY, OPENAI_BASE_URL })).toEqual({ baseUrl: 'http://own/v1', apiKey: 'sk-1' });
  expect(endpointOf({}, { OPENAI_BASE_URL })).toEqual({ baseUrl: 'http://own/v1', apiKey: null });
  expect(endpointOf({ baseUrl: 'http://b' }, { ...KEY, OPENAI_BASE_URL })).toEqual({
    baseUrl: 'http://b',
    apiKey: null,
  });
});

test('what is known of a model of Workers AI need not be said, and what is said goes', () => {
  const kind = 'workers-ai';
  const { workersAi } = read({
    'workers-ai': { kind },
    small: { kind, model: '@cf/baai/bge-small-en-v1.5', dimensions: 384, pooling: 'mean', languages: null },
    large: { kind, model: '@cf/baai/bge-large-en-v1.5', queryPrefix: '', maxCharacters: 99, textPrefix: 'p: ' },
    m3: { kind, model: '@cf/baai/bge-m3' },
    other: { kind, model: '@cf/org/other', dimensions: 10 },
  });
  const english = {
    ...{ kind, pooling: 'cls', maxCharacters: 2000, textPrefix: '', languages: ['eng'] },
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
  };
  expect(DEFAULT_WORKERS_AI).toEqual({ ...english, model: '@cf/baai/bge-base-en-v1.5', dimensions: 768 });
  expect(workersAi.get('workers-ai')).toEqual(DEFAULT_WORKERS_AI);
  expect(workersAi.get('small')).toEqual({
    ...{ ...english, model: '@cf/baai/bge-small-en-v1.5', dimensions: 384, pooling: 'mean', languages: null },
  });
  expect(workersAi.get('large')).toEqual({
    ...{ ...english, model: '@cf/baai/bge-large-en-v1.5', dimensions: 1024 },
    ...{ queryPrefix: '', maxCharacters: 99, textPrefix: 'p: ' },
  });
  const plain = { pooling: null, queryPrefix: '', languages: null };
  expect(workersAi.get('m3')).toEqual({
    ...{ ...english, ...plain, model: '@cf/baai/bge-m3', dimensions: 1024, maxCharacters: 8000 },
  });
  expect(workersAi.get('other')).toEqual({ ...english, ...plain, model: '@cf/org/other', dimensions: 10 });
});

test('where there is no AI binding, an encoder of Workers AI is told', () => {
  expect(missingBinding(read({ small: { kind: 'openai', model: 'text-embedding-3-small' } }))).toBeNull();
  expect(missingBinding(read({ edge: { kind: 'workers-ai' } }))).toBe(
    'TESSERA_ENCODERS is wrong at /edge/kind: an encoder of Workers AI needs the AI binding of a Worker.',
  );
});

describe('a wrong spec is told with the variable and the place', () => {
  const openai = { kind: 'openai', model: 'text-embedding-3-small' };
  const rerank = { kind: 'rerank', model: 'm', baseUrl: 'http://h' };
  const edge = { kind: 'workers-ai' };
  const local = { kind: 'transformers', model: 'm' };
  test.each<[unknown, string]>([
    [[], 'its root: '],
    [{ transformers: rerank }, '/transformers: is the name of an encoder'],
    [{ 'workers-ai': rerank }, '/workers-ai: is the name of an encoder'],
    [{ llm: openai }, '/llm: is the word for a language model'],
    [{ e: { ...edge, model: '@cf/a/b' } }, '/e/dimensions: is needed'],
    [{ e: { ...edge, dimensions: 384 } }, '/e/dimensions: must be 768'],
    [{ e: { ...edge, model: '@cf/baai/bge-m3', pooling: 'cls' } }, '/e/pooling: is nothing that'],
    [{ e: { ...edge, pooling: 'last' } }, '/e/pooling: '],
    [{ MyEncoder: openai }, '/MyEncoder: is not a name in kebab-case'],
    [{ e: { kind: 'cohere' } }, '/e/kind: must be "openai", "transformers", "workers-ai" or "rerank"'],
    [{ e: { model: 'm' } }, '/e/kind: must be'],
    [{ e: { ...openai, pooling: 'cls' } }, '/e: Unrecognized key: "pooling"'],
    [{ e: { ...openai, model: 'm' } }, '/e/dimensions: is needed'],
    [{ e: { ...openai, dimensions: 0 } }, '/e/dimensions: '],
    [{ e: { kind: 'rerank', model: 'm' } }, '/e/baseUrl: '],
    [{ e: { ...openai, baseUrl: 'file:///etc' } }, '/e/baseUrl: is not an address'],
    [{ e: { ...openai, languages: ['en'] } }, '/e/languages/0: is not an ISO 639-3 code'],
    [{ e: { ...local, dtype: 'q9' } }, '/e/dtype: '],
    [{ e: { ...local, model: '../m' } }, '/e/model: is not the name'],
    [{ e: { ...local, model: '/etc' } }, '/e/model: is not the name'],
    [{ e: { ...openai, apiKeyVariable: 'GONE' } }, '/e/apiKeyVariable: the variable "GONE"'],
  ])('%j', (specs, expected) => {
    expect(problem(specs)).toContain(`TESSERA_ENCODERS is wrong at ${expected}`);
  });
});
