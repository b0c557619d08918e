import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codeFiles, unusedExports } from '../scripts/check-exports.ts';
import { wrongImports, wrongImportsOfAll } from '../scripts/check-rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CITED = /`((?:src|test|migrations|docs)\/[^`\s]*)`/g;

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

test('every page that a comment of the source cites exists', () => {
  const dead = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
      .filter(([page]) => !existsSync(join(ROOT, page)))
      .map(([page]) => `${file}: ${page}`),
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
      'see `src/gone.ts`, `src/selection/kernel/quality.ts`, `test/house.test.ts:3`, `src/selection/kernel/`, `docs/x.md#y`',
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

test('every export is imported by somebody', () => {
  expect(unusedExports(codeFiles())).toEqual([]);
});

test('an export that nobody imports would be found, past doors too', () => {
  const files = {
    'src/text/a.ts': 'export const a = 1;\nexport function b() {}\nexport type C = string;\nexport class D {}',
    'src/text/index.ts': "export { a, b as bee, type C } from './a.ts';\nexport * from './e.ts';",
    'src/text/e.ts': 'export interface E {}',
    'src/digest/f.ts': "import { a, bee } from '../text/index.ts';\nexport const f = a;",
    'src/cli.ts': "const { f: own } = await import('./digest/f.ts');\nexport const g = own;",
  };
  expect(unusedExports(new Map(Object.entries(files)))).toEqual([
    'src/text/a.ts: D',
    'src/text/index.ts: C',
    'src/text/e.ts: E',
  ]);
  const taken = { ...files, 'src/node.ts': "import type { E } from './text/index.ts';" };
  expect(unusedExports(new Map(Object.entries(taken)))).not.toContain('src/text/e.ts: E');
  const { 'src/cli.ts': _, ...rest } = files;
  expect(unusedExports(new Map(Object.entries(rest)))).toContain('src/digest/f.ts: f');
});

/** Names that once stood for terms of the field, with the terms. A reader who does not know this project knows these. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/^(?:most|fewest|longest)[A-Z]|(?:MOST|FEWEST|LONGEST)_/, 'max…, min…, MAX_…, MIN_…, or what it returns'],
  [/^[A-Z]\w*Parts$/, '…Deps, …Options'],
  [/^complain(?!t)|Complain(?!t)/, 'warn, report, throw'],
  [/^orNothing$|OrNothing$/, '…OrNull, null'],
  [/^inTurn$|InTurn$/, 'sequentially, queue'],
  [/^giv(?:e|en)Up/, 'abort, release, timeout'],
  [/^look(?:ed)?After/, 'maintain, monitor'],
  [/^(?:takeUpForgotten|forgottenJobs)/, 'claimOrphaned…, orphanedJobs'],
  [/^attend[A-Z]/, 'runJob, process…'],
  [/^(?:mayPass|raiseWith|throwIfRaised)$/, 'isAllowed, assert…, throwIfAborted'],
  [/^wish|Wish/, 'request, preference, mode'],
  [/^hands$|^hands[A-Z]/, 'concurrency, workers'],
  [/^lacking|Lacking/, 'missing, reason, isDegraded'],
  [/^lastWords$/, 'what it holds'],
];
/** Identifiers of code, without comments, strings and regular expressions. */
function identifiers(text: string): Set<string> {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, '')
    .replace(/(?:^|[^:\\])\/\/.*/g, '')
    .replace(/(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g, '')
    .replace(/`(?:\\.|[^`\\$]|\$(?!\{))*`/g, '');
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}

/** What is banned of a text's names, each with what to say. */
function banned(file: string, text: string): string[] {
  return [...identifiers(text)].flatMap((name) =>
    BANNED.filter(([pattern]) => pattern.test(name)).map(([, instead]) => `${file}: ${name} (say ${instead})`),
  );
}

test('names are the terms of the field', () => {
  const all = [...codeFiles()].filter(([file]) => /^(?:src|scripts)\//.test(file));
  expect(all.flatMap(([file, text]) => banned(file, text))).toEqual([]);
});

test('a banned name would be found, and prose would not', () => {
  const names = (text: string) => banned('src/text/a.ts', text).map((said) => /: (\w+)/.exec(said)?.[1]);
  const code = [
    'const MOST_WORDS = 3, mostWords = 4; interface AppParts { hands: number; wish: Wish }',
    'function complain() { return isLacking ? lacking : giveUp(orNothing) } await inTurn(jobs, lookAfter);',
  ].join('\n');
  expect(names(code).sort()).toEqual(
    ['MOST_WORDS', 'mostWords', 'AppParts', 'hands', 'wish', 'Wish', 'complain', 'isLacking', 'lacking', 'giveUp']
      .concat('orNothing', 'inTurn', 'lookAfter')
      .sort(),
  );
  const prose =
    "// many hands\n/** lacking */ const at = 'giveUp'; const maxWords = /lacking|wish/u; let most = complaints;";
  expect(names(prose)).toEqual([]);
});
