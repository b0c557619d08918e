import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let root = dirname(fileURLToPath(import.meta.url));
while (!existsSync(join(root, 'package.json'))) root = dirname(root);

/** The path of a file or folder of this package, whether its code is built or read from `src/`. */
export function packageFile(...path: readonly string[]): string {
  return join(root, ...path);
}
