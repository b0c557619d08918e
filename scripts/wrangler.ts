import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const WRANGLER = join(dirname(require.resolve('wrangler/package.json')), 'bin', 'wrangler.js');

/** Runs wrangler in this folder; resolves with its exit code and what it printed, which is shown as well unless `isQuiet`. */
export async function wrangler(
  args: readonly string[],
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  let output = '';
  const collect = (stream: NodeJS.WriteStream) => (part: Buffer) => {
    output += part;
    if (!isQuiet) stream.write(part);
  };
  child.stdout.on('data', collect(process.stdout));
  child.stderr.on('data', collect(process.stderr));
  // Who ends this ends wrangler, which ends the runtime.
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  const [code] = await once(child, 'close');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
  return { code: typeof code === 'number' ? code : 1, output };
}
