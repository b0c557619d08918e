import { once } from 'node:events';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { TOOLS, toolServer } from '../mcp/index.ts';
import { serveOwnProcess } from '../server/index.node.ts';
import { readConfiguration, VERSION } from '../server/index.ts';

/**
 * Serves tools until standard input ends or Ctrl-C, over the service at an address or over one of this process.
 *
 * @throws TypeError for an address or key that can never work; ConfigurationError
 */
export async function serveTools(address: string | undefined, { stdin, stdout, stderr }: NodeJS.Process) {
  const configuration = { ...readConfiguration(process.env), logLevel: 'warn' as const };
  const own = address === undefined ? await serveOwnProcess(configuration) : null;
  const service = {
    baseUrl: address ?? 'http://localhost',
    apiKey: process.env.TESSERA_KEY || undefined,
    fetch: own?.fetch,
  };
  const reportError = (error: unknown) =>
    stderr.write(`A tool failed: ${error instanceof Error ? error.name : error}\n`);
  const connect = () => toolServer(TOOLS, { version: VERSION, service, reportError });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: configuration.maxBodyBytes });
  const ended = ['end', 'close'].map((event) => once(stdin, event));
  const handle = serveStdio(connect, { transport });
  await Promise.race([...ended, once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await handle.close();
  await own?.close();
}
