import { z } from 'zod';
import { MalformedAnswer } from '../errors.ts';
import type { EncoderCaller, Reranker } from './encoder.ts';
import type { RerankSpec } from './encoder-specs.ts';
import { type EncoderTransport, encoderEndpoint, inBatches, NOBODY } from './endpoint-encoder.ts';

/** Cohere takes 1,000 documents per request. */
const BATCH = { texts: 500, characters: 1_000_000 };

const found = z.array(
  z.union([
    z.object({ index: z.int().min(0), relevance_score: z.number() }),
    z
      .object({ index: z.int().min(0), score: z.number() })
      .transform(({ index, score }) => ({ index, relevance_score: score })),
  ]),
);
/** Cohere, Jina and vLLM (`results`), Voyage (`data`), and text-embeddings-inference (a bare list). */
const answerSchema = z.union([
  z.object({ results: found }).transform(({ results }) => results),
  z.object({ data: found }).transform(({ data }) => data),
  found,
]);

/** A reranker behind an endpoint like Cohere's, Jina's or vLLM's. `score` throws ModelCallError. */
export function reranker(spec: RerankSpec, transport: EncoderTransport): Reranker {
  const { model, path, languages, matched } = spec;
  const endpoint = encoderEndpoint(spec.endpoint, model, transport);

  const scoreBatch = (query: string, documents: readonly string[], caller: EncoderCaller): Promise<number[]> =>
    endpoint.call([query, ...documents], caller, async (client, signal) => {
      const body = { model, query, documents, top_n: documents.length, return_documents: false };
      const read = answerSchema.safeParse(await client.post<unknown>(path, { body, signal }));
      if (!read.success) throw new MalformedAnswer('the answer holds no scores');
      const scores = new Map(read.data.map(({ index, relevance_score }) => [index, relevance_score]));
      return documents.map((_, index) => {
        const score = scores.get(index);
        if (score === undefined) throw new MalformedAnswer('a document has no score');
        return score;
      });
    });

  const metered = (caller: EncoderCaller): Reranker => ({
    metered,
    profile: { id: `rerank/${new URL(spec.endpoint.baseUrl).host}/${model}`, languages, matched },
    async score(query, texts) {
      const sent = [...new Set(texts)].filter((text) => /\S/.test(text));
      const batches = inBatches(sent, BATCH.texts, BATCH.characters);
      const scored = (await Promise.all(batches.map((batch) => scoreBatch(query, batch, caller)))).flat();
      const scores = new Map(sent.map((text, i) => [text, scored[i]]));
      const least = scored.reduce((lowest, score) => Math.min(lowest, score), 0);
      return Float64Array.from(texts, (text) => scores.get(text) ?? least);
    },
  });
  return metered(NOBODY);
}
