import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wrongImports, wrongImportsOfAll } from '../scripts/check-rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CITED = /`((?:src|test|migrations|docs|demo)\/[^`\s]*)`/g;

/** Files under a folder, relative to the root. */
function filesUnder(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}

const sources = filesUnder('src');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesUnder('docs').filter((file) => file.endsWith('.md')),
].filter((file) => existsSync(join(ROOT, file)));

/** Paths in backticks of a text that do not exist; a path may end in `:line`, `#part`, `/`, `/*` or `/**`. */
function missing(text: string): string[] {
  return [...text.matchAll(CITED)]
    .map(([, path]) => path.replace(/[:#].*$/, '').replace(/\/(?:\*\*?)?$/, ''))
    .filter((path) => !existsSync(join(ROOT, path)));
}

test('every path that the documentation cites exists', () => {
  const dead = pages.flatMap((page) =>
    missing(readFileSync(join(ROOT, page), 'utf8')).map((path) => `${page}: ${path}`),
  );
  expect(dead).toEqual([]);
});

test('the index of the documentation links to every page', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const written = pages.flatMap((page) => (/^docs\/(?!README\.md$)/.test(page) ? [page.slice('docs/'.length)] : []));
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test('a path that is gone would be found', () => {
  expect(
    missing(
      'see `src/gone.ts`, `src/selection/kernel/gate.ts`, `test/house.test.ts:3`, `src/selection/kernel/`, `docs/x.md#y`',
    ),
  ).toEqual(['src/gone.ts', 'docs/x.md']);
});

test('every source file is kebab-case', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(
    sources.filter(
      (file) =>
        !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:(?:\.(?:node|worker))?(?:\.d)?\.tsx?|\.wat|\.css|\.html|\.txt|\.json)$/.test(
          basename(file),
        ),
    ),
  ).toEqual([]);
});

test('no source file is over 400 lines', () => {
  const long = sources.filter((file) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length > 400);
  expect(long).toEqual([]);
});

test('rooms import only rooms below them, through their doors', () => {
  expect(wrongImportsOfAll()).toEqual([]);
});

test('an import past a door, upwards or of an entry point would be found', () => {
  const wrong = (line: string) => wrongImports('src/text/files/a.ts', line);
  expect(wrong("import { a } from '../documents/b.ts';")).toEqual([]);
  expect(wrong("import type { a } from '../../store/index.ts';")).toEqual([
    'src/text/files/a.ts: text/ may not import store/ (src/store/index.ts).',
  ]);
  expect(wrongImports('src/store/a.ts', "export { a } from '../text/documents/b.ts';")).toEqual([
    'src/store/a.ts imports src/text/documents/b.ts, not the door of text/.',
  ]);
  expect(wrongImports('src/client/a.ts', "import type { a } from '../evaluation/index.ts';")).toEqual([]);
  expect(wrongImports('src/client/a.ts', "import { a, type b } from '../evaluation/index.ts';")).toEqual([
    'src/client/a.ts: client/ may not import evaluation/ (src/evaluation/index.ts).',
  ]);
  expect(wrongImports('src/client/a.ts', "import type { a } from '../evaluation/metrics.ts';")).toEqual([
    'src/client/a.ts imports src/evaluation/metrics.ts, not the door of evaluation/.',
  ]);
  expect(wrongImports('src/worker.ts', "const { a } = await import('./node.ts');")).toEqual([]);
  expect(wrongImports('src/store/a.ts', "import '../cli.ts';\nimport { b } from '../cli.ts';")).toEqual([
    'src/store/a.ts imports the entry point src/cli.ts.',
  ]);
});
