import { startEmbeddingsEndpoint } from '../../scripts/embeddings-endpoint.ts';
import { EMBEDDED, transformersProfile } from '../../src/models/index.node.ts';
import { startWorkerd } from '../runtime/workerd-runtime.ts';

/** The Worker as `npm run dev:edge` serves it: in workerd, over an empty D1, with the encoder that ships. */
export async function startEdge(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const endpoint = await startEmbeddingsEndpoint(0);
  const { languages } = transformersProfile(EMBEDDED);
  const { url: baseUrl, model, dimensions } = endpoint;
  const embedded = { kind: 'openai', baseUrl, model, dimensions, languages };
  const variables = { TESSERA_ENCODERS: JSON.stringify({ embedded }), TESSERA_ENCODER: 'embedded' };
  const runtime = await startWorkerd({ variables });
  return {
    url: runtime.url.origin,
    async stop() {
      await runtime.miniflare.dispose();
      await endpoint.close();
    },
  };
}
