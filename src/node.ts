import { serve } from './server/index.node.ts';
import { ConfigurationError, readConfiguration } from './server/index.ts';

try {
  await serve(readConfiguration(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : String(error)}\n`);
  process.exit(1);
}
