import { describe, expect, test } from 'vitest';
import type { Digest, Problem } from '../../src/contract/index.ts';
import type { ResolvedRequest } from '../../src/digest/index.ts';
import { openAiEncoder, reranker } from '../../src/models/index.ts';
import {
  type EmbeddingServer,
  embeddingServer,
  openAiSpecFor,
  sharedWords,
} from '../models/encoders/embedding-server.ts';
import { quickTransport, specsOf } from '../models/encoders/transport.ts';
import { digestOf } from '../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { type TestApp, testApp } from '../support/test-deps.ts';

const QUERY_PREFIX = 'Instruct: find what answers\nQuery: ';

interface Served extends TestApp {
  readonly server: EmbeddingServer;
}

/** The app with an encoder `remote`, another with prefixes, `asking`, and a reranker `ranker`, all of one server. */
async function served(): Promise<Served> {
  const server = await embeddingServer();
  const remote = openAiSpecFor(server);
  const { openai, rerank } = specsOf({
    remote,
    asking: { ...remote, queryPrefix: QUERY_PREFIX },
    ranker: { kind: 'rerank', model: 'words', baseUrl: server.baseUrl },
  });
  const transport = quickTransport();
  const engine = new InProcessEngine(
    Object.fromEntries([...openai].map(([name, spec]) => [name, openAiEncoder(spec, transport)])),
    Object.fromEntries([...rerank].map(([name, spec]) => [name, reranker(spec, transport)])),
  );
  return { ...testApp({ engine }), server };
}

const digest = (more: Partial<ResolvedRequest>): ResolvedRequest => ({ documents: CITY, intent: CITY_INTENT, ...more });

const textsOf = ({ keyPoints }: Digest) =>
  keyPoints.map(({ text, speaker }) => (speaker === null ? text : `${speaker}: ${text}`));

async function problemOf(response: Response): Promise<Problem & { readonly errors: NonNullable<Problem['errors']> }> {
  const problem = (await response.json()) as Problem;
  return { ...problem, errors: problem.errors ?? [] };
}

describe('an encoder behind an endpoint', () => {
  test('makes a digest by cosines, and encodes its points once', async () => {
    const app = await served();
    const found = await digestOf(app, digest({ engine: { encoder: 'remote' } }));
    expect(found.engine.encoder).toMatch(/^openai\/127\.0\.0\.1:\d+\/hashed-words\/128$/);
    expect(found.engine.relevanceEncoder).toBe(found.engine.encoder);
    expect(found.selection.kernel.similarity).toBe('cosine');
    expect(found.summary.sentences.length).toBeGreaterThan(0);
    const embedded = app.server.embedded();
    for (const text of textsOf(found)) expect(embedded.filter((each) => each === text)).toHaveLength(1);
    // `digestOf` makes it twice: the second time the question alone is encoded.
    expect(embedded.filter((each) => each === CITY_INTENT)).toHaveLength(2);
    expect(embedded).toHaveLength(new Set(embedded).size + 1);
    const other = await digestOf(app, digest({ engine: { encoder: 'remote' }, intent: 'What about trams?' }));
    expect(other.usage.reusedEncodings).toBe(other.keyPoints.length);
    // Of the question alone; the price of this model is not known.
    expect(other.usage.stages.encode).toMatchObject({ requests: 1, completionTokens: 0, cost: null });
    expect(other.usage.requests).toBe(1);
    expect(app.server.embedded().slice(embedded.length)).toEqual(['What about trams?', 'What about trams?']);
  });

  test('a server that fails is a problem that says so, and no digest; the same key asks again', async () => {
    const { post, server } = await served();
    server.instead.push(...new Array(50).fill({ status: 503 }));
    const ask = () => post('/v1/digests', digest({ engine: { encoder: 'remote' } }), { 'idempotency-key': 'again' });
    const response = await ask();
    const problem = await problemOf(response);
    expect(problem.type).toBe('urn:tessera:problem:model-call-failed');
    expect(problem.detail).toMatch(/^The model "hashed-words" cannot be used: .* \(HTTP 503\), after 3 requests\.$/);
    expect(response.status).toBe(502);
    server.instead.length = 0;
    expect((await ask()).status).toBe(201);
  });
});

describe('a reranker', () => {
  const by = (more: object = {}): Pick<ResolvedRequest, 'selection'> => ({
    selection: { relevance: { encoder: 'ranker', ...more } },
  });

  test('finds relevance, as it scores it; the kernel is of another encoder', async () => {
    const app = await served();
    const found = await digestOf(app, digest(by({ surroundings: 1 })));
    expect(found.engine).toMatchObject({ encoder: 'hashed-words/1' });
    expect(found.engine.relevanceEncoder).toMatch(/^rerank\/127\.0\.0\.1:\d+\/words$/);
    expect(found.selection.relevance).toMatchObject({ surroundings: 0, encoder: found.engine.relevanceEncoder });
    const [asked] = app.server.asked;
    expect(asked.body.query).toBe(CITY_INTENT);
    expect([...(asked.body.documents as string[])].sort()).toEqual([...new Set(textsOf(found))].sort());
    const expected = textsOf(found).map((text) => sharedWords(CITY_INTENT, text));
    expect(found.keyPoints.map(({ relevance }) => relevance)).toEqual(
      expected.map((score) => Number(score.toFixed(6))),
    );
    expect(app.server.embedded()).toEqual([]);
    expect(app.parts.engine.encoder.texts).not.toContain(CITY_INTENT);
  });
});
