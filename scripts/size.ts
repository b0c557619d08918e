import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Prints lines and files of every room and of the tests, beside the table of the last release in `docs/house.md`.
 *
 *     npm run size
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Files under this many lines are counted: few but doors, entry points and registries should be so short. */
const SHORT = 40;

interface Size {
  readonly lines: number;
  readonly files: number;
  readonly short: number;
}

/** TypeScript under a folder, or directly in it. */
function sizeOf(folder: string, recursive = true): Size {
  const counts = readdirSync(join(ROOT, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n').length - 1);
  return {
    lines: counts.reduce((sum, lines) => sum + lines, 0),
    files: counts.length,
    short: counts.filter((lines) => lines < SHORT).length,
  };
}

/** Rows `| room | lines | files | short |` of the table, by room. */
function released(): ReadonlyMap<string, readonly number[]> {
  const page = readFileSync(join(ROOT, 'docs/house.md'), 'utf8');
  const rows = page.matchAll(/^\| `([^`]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm);
  return new Map([...rows].map(([, name, ...cells]) => [name, cells.map((cell) => Number(cell.replaceAll(',', '')))]));
}

const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const sizes: readonly (readonly [string, Size])[] = [
  ...rooms.map(({ name }) => [`src/${name}`, sizeOf(`src/${name}`)] as const),
  ['entry points', sizeOf('src', false)],
  ['src', sizeOf('src')],
  ['test', sizeOf('test')],
];
const before = released();
const cell = (text: string | number) => String(text).padStart(10);
process.stdout.write(
  `${'room'.padEnd(16)}${['lines', 'files', `under ${SHORT}`, 'lines +-', 'files +-'].map(cell).join('')}\n`,
);
for (const [name, { lines, files, short }] of sizes) {
  const [lastLines = lines, lastFiles = files] = before.get(name) ?? [];
  const changes = [lines - lastLines, files - lastFiles].map((change) => (change > 0 ? `+${change}` : change));
  process.stdout.write(`${name.padEnd(16)}${[lines, files, short, ...changes].map(cell).join('')}\n`);
}
