import { ConfigurationError, readConfiguration } from './configuration.ts';
import { serve } from './serve.node.ts';

try {
  await serve(readConfiguration(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : String(error)}\n`);
  process.exit(1);
}
