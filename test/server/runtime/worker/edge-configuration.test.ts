import { expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from '../../../../src/server/index.ts';
import type { EdgeEnv } from '../../../../src/server/index.worker.ts';
import { readEdgeConfiguration } from '../../../../src/server/runtime/worker/service.worker.ts';

const AI = { run: async () => null };

/** What a Worker is given: bindings are objects, variables and secrets strings. */
function envOf(variables: Readonly<Record<string, unknown>> = {}, hasAi = true): EdgeEnv {
  // None of the bindings is called where the configuration is read.
  const bindings = { DB: {}, JOBS: {}, DIGESTS: {}, ...(hasAi && { AI }) } as unknown as EdgeEnv;
  return { ...bindings, ...variables };
}

const encoders = (specs: object): string => JSON.stringify(specs);
const MINE = { kind: 'openai', model: 'mine', baseUrl: 'https://encoder.example/v1', dimensions: 8 };

test('without variables there is what an isolate bears, and Workers AI', () => {
  const { encoder, maxBodyBytes, service, ...rest } = readEdgeConfiguration(envOf());
  expect([encoder, maxBodyBytes]).toEqual(['workers-ai', 8 * 1024 * 1024]);
  const onNode = readConfiguration({});
  expect(service).toEqual({
    ...onNode.service,
    leaseMilliseconds: 60_000,
    collectionDocuments: 200,
    digestPoints: 7500,
    limits: { ...onNode.service.limits, documents: 200, documentCharacters: 1_000_000, characters: 1_000_000 },
  });
  expect(rest).toEqual((({ encoder: _, maxBodyBytes: __, service: ___, ...all }) => all)(onNode));
});

test.each<[what: string, variables: Record<string, string>, hasAi: boolean, encoder: string]>([
  ['Workers AI, where it is bound', { TESSERA_ENCODERS: encoders({ mine: MINE }) }, true, 'workers-ai'],
  ['the one that is named', { TESSERA_ENCODERS: encoders({ mine: MINE }), TESSERA_ENCODER: 'mine' }, true, 'mine'],
  [
    'a model of Workers AI that is named',
    { TESSERA_ENCODERS: encoders({ m3: { kind: 'workers-ai', model: '@cf/baai/bge-m3' } }), TESSERA_ENCODER: 'm3' },
    true,
    'm3',
  ],
  ['the only one there is', { TESSERA_ENCODERS: encoders({ mine: MINE }) }, false, 'mine'],
  [
    'not the one that the key of a language model brings along',
    { TESSERA_ENCODERS: encoders({ mine: MINE }), OPENAI_API_KEY: 'sk-1' },
    false,
    'mine',
  ],
  ['that one, where there is no other', { OPENAI_API_KEY: 'sk-1' }, false, 'openai'],
])('the default encoder is %s', (_, variables, hasAi, encoder) => {
  expect(readEdgeConfiguration(envOf(variables, hasAi)).encoder).toBe(encoder);
});

const HAS_NOT = 'which a Worker with these bindings has not.';

test.each<[variables: Record<string, string>, hasAi: boolean, sentence: string]>([
  [
    { TESSERA_ENCODERS: encoders({ own: { kind: 'transformers', model: 'Xenova/all-MiniLM-L6-v2' } }) },
    true,
    'TESSERA_ENCODERS is wrong at /own: a Worker runs no model itself.',
  ],
  [{ TESSERA_ENCODER: 'transformers' }, true, `TESSERA_ENCODER is "transformers", ${HAS_NOT}`],
  [{ TESSERA_ENCODER: 'workers-ai' }, false, `TESSERA_ENCODER is "workers-ai", ${HAS_NOT}`],
  [{}, false, 'There is no encoder: bind Workers AI as AI, or name one in TESSERA_ENCODERS.'],
  [
    { TESSERA_ENCODERS: encoders({ mine: MINE, m3: { kind: 'workers-ai', model: '@cf/baai/bge-m3' } }) },
    false,
    'TESSERA_ENCODERS is wrong at /m3/kind: an encoder of Workers AI needs the AI binding of a Worker.',
  ],
  [{ TESSERA_LEASE_SECONDS: '0' }, true, 'TESSERA_LEASE_SECONDS must be a number of seconds from 1 to 3600, not "0".'],
])('%j, bound Workers AI: %s', (variables, hasAi, sentence) => {
  const read = () => readEdgeConfiguration(envOf(variables, hasAi));
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(new ConfigurationError(sentence));
});
