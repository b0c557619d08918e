import { onTestFinished } from 'vitest';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import {
  type RecordedRequest,
  type Reply,
  type RequestBody,
  ScriptedModelServer,
} from '../../support/scripted-model-server.ts';

export interface EmbeddingServer {
  readonly baseUrl: string;
  readonly dimensions: number;
  /** Every request, in the order they came. */
  readonly asked: RecordedRequest[];
  /** Replies to the next requests, in place of vectors and scores. */
  readonly instead: Reply[];
  /** Texts of all requests for vectors. */
  embedded(): string[];
  /** Requests under way at once, at most so far. */
  most(): number;
}

/**
 * Serves `/v1/embeddings` with the vectors of `HashedWordsEncoder` times three, and any other path with the share of the
 * query's words that a document holds; both out of order. Closed when the test ends.
 *
 * @param delay milliseconds before an answer
 * @param held what every answer waits for
 */
export async function embeddingServer(delay = 0, held?: Promise<void>): Promise<EmbeddingServer> {
  const encoder = new HashedWordsEncoder({ tokenDimensions: 0 });
  const instead: Reply[] = [];
  const server = await ScriptedModelServer.start(async ({ path, body }) => {
    const other = instead.shift();
    if (other !== undefined) return other;
    await held;
    const answer = path === '/v1/embeddings' ? await vectors(body, encoder) : scores(body);
    return { raw: JSON.stringify(answer), delay };
  });
  onTestFinished(() => server.close());
  return {
    baseUrl: server.url,
    dimensions: encoder.profile.sentenceDimensions,
    asked: server.requests,
    instead,
    embedded: () =>
      server.requests.filter(({ path }) => path === '/v1/embeddings').flatMap(({ body }) => body.input ?? []),
    most: () => server.maxInFlight,
  };
}

async function vectors({ input = [] }: RequestBody, encoder: HashedWordsEncoder): Promise<unknown> {
  const encodings = await encoder.encode([input].flat());
  const data = encodings.map(({ sentence }, index) => ({ index, embedding: [...sentence].map((v) => 3 * v) }));
  return { object: 'list', data: data.reverse(), usage: { prompt_tokens: 7, total_tokens: 7 } };
}

function scores({ query = '', documents = [] }: RequestBody): unknown {
  const results = documents.map((document, index) => ({ index, relevance_score: sharedWords(query, document) }));
  return { results: results.sort((a, b) => b.relevance_score - a.relevance_score) };
}

/** The share of a query's words that a text holds. */
export function sharedWords(query: string, text: string): number {
  const words = (each: string) => new Set(each.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const [asked, held] = [words(query), words(text)];
  return [...asked].filter((word) => held.has(word)).length / asked.size;
}

/** The spec of an encoder at a server. */
export const openAiSpecFor = ({ baseUrl, dimensions }: EmbeddingServer) => ({
  kind: 'openai',
  model: 'hashed-words',
  baseUrl,
  dimensions,
});
