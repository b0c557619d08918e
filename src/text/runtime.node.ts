import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let root = dirname(fileURLToPath(import.meta.url));
while (!existsSync(join(root, 'package.json'))) root = dirname(root);

/** Whether a thread was ended because it needed more memory than it may. */
export function isOutOfMemory(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** The path of a file or folder of this package, whether its code is built or read from `src/`. */
export function packageFile(...path: readonly string[]): string {
  return join(root, ...path);
}
