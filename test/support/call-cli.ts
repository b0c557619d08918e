import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { Environment, Outcome } from './cli.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** What `process.exit` throws here instead of ending the tests. */
class Exit {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

let calls = 0;

/**
 * Calls `tessera` from its source, in this process: for calls that end before they have done anything, for which starting a
 * process takes a hundred times as long. What it answers is what the built command does (`process.test.ts`).
 */
export async function callCli(args: readonly string[], cwd: string, environment: Environment = {}): Promise<Outcome> {
  const { argv, env, stdout, stderr } = process;
  const here = process.cwd();
  // What the entry point and its commands listen to for as long as their process lives.
  const heard = (
    [
      [stdout, 'error'],
      [process, 'SIGINT'],
    ] as const
  ).map(([emitter, event]) => {
    const open: NodeJS.EventEmitter = emitter;
    return { open, event, before: open.listeners(event) };
  });
  const written = { stdout: '', stderr: '' };
  const spies = [
    vi.spyOn(stdout, 'write').mockImplementation((text) => {
      written.stdout += text;
      return true;
    }),
    vi.spyOn(stderr, 'write').mockImplementation((text) => {
      written.stderr += text;
      return true;
    }),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Exit(Number(code));
    }),
  ];
  process.argv = [...argv.slice(0, 1), CLI, ...args];
  process.env = { PATH: env.PATH, TESSERA_MATRIX: 'portable', ...environment };
  process.chdir(cwd);
  try {
    // The entry point runs once for each name that it is imported by; the rooms behind it are loaded once.
    await import(`${CLI}?call=${++calls}`);
    return { code: 0, ...written };
  } catch (failure) {
    if (!(failure instanceof Exit)) throw failure;
    return { code: failure.code, ...written };
  } finally {
    process.chdir(here);
    process.env = env;
    process.argv = argv;
    for (const spy of spies) spy.mockRestore();
    for (const { open, event, before } of heard) {
      for (const each of open.listeners(event)) {
        if (!before.includes(each)) open.removeListener(event, each as () => void); // Node lists them as mere functions
      }
    }
  }
}
