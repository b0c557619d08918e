import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import pLimit from 'p-limit';
import { z } from 'zod';
import { EMBEDDED, transformersEncoder } from '../src/models/index.node.ts';

export interface EmbeddingsEndpoint {
  /** Up to and with `/v1`. */
  readonly url: string;
  /** The name that it answers to. */
  readonly model: string;
  readonly dimensions: number;
  close(): Promise<void>;
}

const bodySchema = z.object({
  model: z.string(),
  input: z.union([
    z
      .string()
      .min(1)
      .transform((text) => [text]),
    z.array(z.string().min(1)).min(1),
  ]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
});

/**
 * Serves `/v1/embeddings` in OpenAI's form on loopback, with the sentence vectors of the encoder that is part of the project:
 * for a Worker on this machine, where there is neither an account of Workers AI nor a network.
 *
 * @param port 0 for any that is free
 * @throws where the port is taken
 */
export async function startEmbeddingsEndpoint(port: number): Promise<EmbeddingsEndpoint> {
  const { model } = EMBEDDED.spec;
  const encoder = await transformersEncoder();
  const limit = pLimit(1); // the encoder runs on this thread: requests take turns
  const app = new Hono();
  app.post('/v1/embeddings', async (context) => {
    const { success, data } = bodySchema.safeParse(await context.req.json().catch(() => undefined));
    if (!success) return context.json(failure('The request has no model or no texts.', 'invalid_request_error'), 400);
    if (data.model !== model) return context.json(failure(`There is only "${model}" here.`, 'model_not_found'), 404);
    const encodings = await limit(() => encoder.encode(data.input));
    const tokens = encodings.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0);
    const embedded = encodings.map(({ sentence }, index) => ({
      object: 'embedding',
      index,
      embedding: data.encoding_format === 'float' ? [...sentence] : base64(sentence),
    }));
    return context.json({
      object: 'list',
      model,
      data: embedded,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  });
  const server = createServer(getRequestListener(app.fetch));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port, not on a pipe.
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    model,
    dimensions: encoder.profile.sentenceDimensions,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function failure(message: string, code: string) {
  return { error: { message, type: 'invalid_request_error', param: null, code } };
}

/** As OpenAI's clients ask for it: little-endian, as every machine is that runs Node. */
function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
