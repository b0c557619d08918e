import { expect } from 'vitest';
import { agentOver, ERAS } from '../../mcp/agent.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import type { Suite } from '../service.ts';

/** Tools for agents, over HTTP. */
export const agents: Suite = (holds) => {
  holds('agents add, search, digest and read documents', async ({ runtime, digest }) => {
    for (const era of ERAS) {
      const fetch = (url: string | URL, init?: RequestInit) => runtime.fetch(new URL(url).pathname, init);
      const { call } = await agentOver(fetch, { era });
      const collection = `Minutes of ${era}`;
      expect((await call('add_documents', { collection, documents: CITY })).isError).toBe(false);
      const found = await call('search_collection', { collection, query: CITY_INTENT, limit: 3 });
      expect(Object(found.structured).passages).toHaveLength(3);
      const told: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => told.push(progress);
      const asked = { documents: CITY, intent: CITY_INTENT };
      const { id, summary } = Object((await call('make_digest', asked, { onprogress })).structured);
      expect(summary).toEqual((await digest(asked)).summary);
      expect(told.length).toBeGreaterThan(0);
      const { document, quote } = summary.sentences[0].citations[0];
      const { structured } = await call('get_source', { digest: id, document });
      expect(Object(structured).text.slice(quote.start, quote.end)).toBe(quote.text);
    }
  });
};
