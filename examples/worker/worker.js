import { createClient, TesseraClientError } from 'tessera/client';

// A Cloudflare Worker that answers questions about one collection: GET /?question=What+did+the+trial+change%3F
export default {
  async fetch(request, env) {
    const intent = new URL(request.url).searchParams.get('question');
    if (!intent) return Response.json({ error: 'The query parameter "question" is missing.' }, { status: 400 });
    const tessera = createClient({ baseUrl: env.TESSERA_URL, apiKey: env.TESSERA_KEY });
    try {
      const { summary, sources } = await tessera.digests.create({ collection: env.TESSERA_COLLECTION, intent });
      return Response.json({ answer: summary.text, sources });
    } catch (error) {
      if (!(error instanceof TesseraClientError)) throw error;
      return Response.json({ error: error.message }, { status: 502 });
    }
  },
};
