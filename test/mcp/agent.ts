import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** A client of today, with a session, and one of the revision of 2026, whose messages stand alone. */
export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];

const MODES = { legacy: 'legacy', modern: { pin: '2026-07-28' } } as const;

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

export interface Agent {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>, options?: Parameters<Client['callTool']>[1]): Promise<Answer>;
}

/** The SDK's own client, over any fetch. It checks structured answers against the listed schemas. */
export async function agentOver(
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
  { key, era = 'legacy', url = 'http://localhost/mcp' }: { key?: string; era?: Era; url?: string } = {},
): Promise<Agent> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: MODES[era] } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return agentOf(client);
}

export function agentOf(client: Client): Agent {
  return {
    client,
    async call(name, args, options) {
      const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: args }, options);
      const text = content.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
      return { text, isError, structured: structuredContent };
    },
  };
}
