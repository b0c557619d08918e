import { parseArgs } from 'node:util';
import { EMBEDDED, transformersProfile } from '../src/models/index.node.ts';
import { startEmbeddingsEndpoint } from './embeddings-endpoint.ts';
import { wrangler } from './wrangler.ts';

/**
 * Serves the Worker on this machine, in the runtime that it is deployed to, over a local D1: no account and no network. In the
 * place of Workers AI stands the encoder that is embedded on Node, behind an address of its own.
 *
 *     npm run dev:edge -- [--port 8788]
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '8788' } } });
// Its address is part of what the vectors are kept by: with another each time, all texts would be encoded again.
const endpoint = await startEmbeddingsEndpoint(Number(values.port) + 1);
const { languages } = transformersProfile(EMBEDDED);
const encoders = {
  embedded: {
    kind: 'openai',
    baseUrl: endpoint.url,
    model: endpoint.model,
    dimensions: endpoint.dimensions,
    languages,
  },
};

const migrated = await wrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--env', 'local'], { isQuiet: true });
if (migrated.code !== 0) {
  process.stderr.write(migrated.output);
} else {
  const variables = { TESSERA_ENCODERS: JSON.stringify(encoders), TESSERA_ENCODER: 'embedded' };
  // The runtime has no clock of its own here that would do what the cron of wrangler.toml asks for.
  const cron = setInterval(
    () => void fetch(`http://127.0.0.1:${values.port}/cdn-cgi/handler/scheduled`).catch(() => {}),
    60_000,
  );
  const { code } = await wrangler([
    ...['dev', '--env', 'local', '--port', values.port, '--ip', '127.0.0.1'],
    ...['--show-interactive-dev-session=false', '--log-level', 'log'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ]);
  clearInterval(cron);
  process.exitCode = code;
}
process.exitCode ||= migrated.code;
await endpoint.close();
