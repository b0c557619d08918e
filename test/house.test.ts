import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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
  ...filesUnder('docs').filter((file) => /^docs\/[^/]+\.md$/.test(file)),
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

test('no source file is over 300 lines', () => {
  const long = sources.filter((file) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length > 300);
  expect(long).toEqual([]);
});
