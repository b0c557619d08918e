import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Files whose exports are for others: entry points, and the threads, whose functions piscina calls. */
const ENTRIES =
  /^src\/(?:[^/]+\.ts|client\/client\.ts|(?:digest\/threads\/(?:digest-)?thread|evaluation\/threads\/evaluation-thread)\.node\.ts)$|^(?:test|scripts)\/|^[^/]+$/;
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
/** `import … from`, `export … from`, `export { … }`: the names in braces, where there are, and the file, where there is one. */
const STATEMENT = /^(import|export) (?:type )?(?:\w+, )?(?:(\*)[^;'"{]*|\{([^}]*)\})(?: from '(\.[^']+)')?;/gm;
/** `const { … } = await import('…')`, and any other use of a module as a whole. */
const DYNAMIC = /(?:\{([^{}]*)\} = await )?\bimport\('(\.[^']+)'\)(?:\.(\w+))?/g;

/**
 * Exports of files of `src/` that no other file imports, as `file: name`. What only tests import counts as imported; what only a door
 * passes on does not, where nobody takes it from there, by name or by `export *`.
 *
 * @param texts every file of the repository that may import, by its path
 */
export function unusedExports(texts: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>();
  const passedOn: { readonly door: string; readonly target: string }[] = [];
  const exported: { readonly file: string; readonly name: string }[] = [];
  for (const [file, text] of texts) {
    const use = (specifier: string, names: readonly string[]): void => {
      const target = normalize(join(dirname(file), specifier));
      for (const name of names) used.add(`${target}: ${name}`);
    };
    for (const [, name] of text.matchAll(DECLARED)) exported.push({ file, name });
    for (const [, kind, star, names, specifier] of text.matchAll(STATEMENT)) {
      const target = normalize(join(dirname(file), specifier ?? ''));
      if (kind === 'export' && star !== undefined && !ENTRIES.test(file)) passedOn.push({ door: file, target });
      else if (specifier !== undefined) use(specifier, star === undefined ? inner(names) : ['*']);
      if (kind === 'export' && star === undefined) exported.push(...outer(names).map((name) => ({ file, name })));
    }
    for (const [, names, specifier, name] of text.matchAll(DYNAMIC)) {
      use(specifier, names !== undefined ? inner(names) : [name ?? '*']);
    }
  }
  for (const { door, target } of passedOn) {
    for (const name of used) if (name.startsWith(`${door}: `)) used.add(name.replace(door, target));
  }
  return exported
    .filter(({ file, name }) => !ENTRIES.test(file) && !used.has(`${file}: ${name}`) && !used.has(`${file}: *`))
    .map(({ file, name }) => `${file}: ${name}`);
}

/** Of `a, type B as C, d: e`: what they are called in the module that they come from. */
function inner(names: string): string[] {
  return split(names).map((name) => name.replace(/(?: as |:).*$/s, '').trim());
}

/** The same, as they are called where they go. */
function outer(names: string): string[] {
  return split(names).map((name) => name.replace(/^.* as /s, '').trim());
}

function split(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

/** Every file of code in the repository with its text, by its path. */
export function codeFiles(): Map<string, string> {
  const files = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length)),
  );
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}
