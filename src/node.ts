import { ConfigurationError, readConfiguration } from './server/runtime/configuration.ts';
import { serve } from './server/runtime/node/serve.node.ts';

try {
  await serve(readConfiguration(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : String(error)}\n`);
  process.exit(1);
}
