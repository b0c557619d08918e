import { once } from 'node:events';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { TOOLS, toolServer } from '../mcp/index.ts';
import { serveOwnProcess } from '../server/index.node.ts';
import { readConfiguration, VERSION } from '../server/index.ts';
import { UsageError } from './command.node.ts';

/** Serves tools until standard input ends or Ctrl-C, over the service at an address or one of this process. @throws UsageError */
export async function serveTools(address: string | undefined, { stdin, stdout, stderr }: NodeJS.Process) {
  const baseUrl = address ?? 'http://localhost';
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new UsageError('--url is no http or https address.');
  const configuration = { ...readConfiguration(process.env), logLevel: 'warn' as const };
  const own = address === undefined ? await serveOwnProcess(configuration) : null;
  const service = { baseUrl, apiKey: process.env.TESSERA_KEY || undefined, fetch: own?.fetch };
  const reportError = (error: unknown) => stderr.write(`A tool failed: ${Object(error).name}\n`);
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: configuration.maxBodyBytes });
  const handle = serveStdio(() => toolServer(TOOLS, { version: VERSION, service, reportError }), { transport });
  await Promise.race([once(stdin, 'end'), once(stdin, 'close'), once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await handle.close();
  await own?.close();
}
