import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Rooms of `src/`, each with those that it may import (`docs/house.md`). Other rooms are imported through their doors alone:
 * `index.ts`, `index.node.ts` for what runs on Node only, `index.worker.ts` for what runs on Workers only.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  text: [],
  models: ['text'],
  selection: ['text', 'models'],
  contract: ['text', 'models', 'selection'],
  summary: ['text', 'models', 'selection', 'contract'],
  digest: ['text', 'models', 'selection', 'contract', 'summary'],
  evaluation: ['text', 'models', 'selection', 'contract', 'summary', 'digest'],
  store: ['text', 'models'],
  client: ['text', 'contract'],
  mcp: ['text', 'contract', 'client'],
  server: ['text', 'models', 'selection', 'contract', 'summary', 'digest', 'evaluation', 'store', 'mcp'],
  lab: ['text', 'models', 'selection', 'contract', 'summary', 'digest', 'evaluation', 'store', 'client', 'server'],
  cli: [
    'text',
    'models',
    'selection',
    'contract',
    'summary',
    'digest',
    'evaluation',
    'store',
    'client',
    'mcp',
    'server',
    'lab',
  ],
  page: ['text', 'contract', 'client'],
};
/** Rooms of which only types may be imported, so that nothing of them is loaded. */
const TYPES: Readonly<Record<string, readonly string[]>> = { client: ['evaluation'] };
/** Loaded only by those who read files: it brings the readers of PDF and Word. */
const READ_FILE = 'src/text/files/read-file.ts';
const DOOR = /^src\/[^/]+\/index(?:\.node|\.worker)?\.ts$/;
/** `import … from`, `export … from`, `import('…')` as a value or a type. */
const IMPORTED = /(?:\b(?<type>(?:import|export) type \{[^}]*\} )?from|\bimport\()\s*'(?<specifier>\.[^']+)'/g;

/** What is wrong with the imports of one file of `src/`, in sentences; empty where nothing is. */
export function wrongImports(file: string, text: string): string[] {
  const own = roomOf(file);
  return [...text.matchAll(IMPORTED)].flatMap(({ groups: { type, specifier } = {} }) => {
    const target = normalize(join(dirname(file), specifier));
    const room = roomOf(target);
    if (room === own || !target.startsWith('src/')) return [];
    if (room === null) return [`${file} imports the entry point ${target}.`];
    const isType = type !== undefined && own !== null && TYPES[own]?.includes(room);
    if (own !== null && !isType && !ROOMS[own]?.includes(room))
      return [`${file}: ${own}/ may not import ${room}/ (${target}).`];
    return DOOR.test(target) || target === READ_FILE ? [] : [`${file} imports ${target}, not the door of ${room}/.`];
  });
}

/** The room that a file stands in; null for the entry points. */
function roomOf(file: string): string | null {
  const [, room, inside] = file.split('/');
  return inside === undefined ? null : room;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What is wrong with the imports of all files of `src/`. */
export function wrongImportsOfAll(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return wrongImports(path.slice(ROOT.length), readFileSync(path, 'utf8'));
    });
}
