import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Makes `dist/client-package/` of what `tsc` has left in `dist/`: the client as a package of its own, one file of code and the
 * declarations that its types need. It has no dependency: a declaration that needs one is an error.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const OUT = join(DIST, 'client-package');
const ENTRY = 'client/client.d.ts';

/** A statement that imports or exports from another file, with its names where it has any. */
const STATEMENT = /^(import type|import|export type|export) (?:(\*)|\{([^}]*)\}) from '([^']+)';$/gm;

/** By name, the file of `dist/` that declares what a door shows, and the name that it has there. */
function shownBy(door: string): Map<string, { readonly file: string; readonly name: string }> {
  const text = readFileSync(join(DIST, door), 'utf8');
  return new Map(
    [...text.matchAll(STATEMENT)].flatMap(([, , , names = '', from]) =>
      named(names).map(({ name, as }) => [as, { file: declarationOf(door, from), name }] as const),
    ),
  );
}

function named(names: string): { readonly name: string; readonly as: string }[] {
  return names.split(',').flatMap((each) => {
    const [name, as = name] = each
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return name === '' ? [] : [{ name, as }];
  });
}

/** @throws where it is a package */
function declarationOf(file: string, from: string): string {
  if (!from.startsWith('.')) throw new Error(`${file} needs "${from}": the client's types must need no package.`);
  return normalize(join(dirname(file), from)).replace(/\.ts$/, '.d.ts');
}

const written = new Set<string>();

/** Writes a declaration and those that it needs, past the doors of rooms, which show more than that. */
function write(file: string): void {
  if (written.has(file)) return;
  written.add(file);
  const text = readFileSync(join(DIST, file), 'utf8').replace(
    STATEMENT,
    (_, verb: string, star: string | undefined, names: string | undefined, from: string) => {
      const target = declarationOf(file, from);
      if (star !== undefined || !target.endsWith('/index.d.ts')) {
        write(target);
        return `${verb} ${star ?? `{${names}}`} from '${from}';`;
      }
      const shown = shownBy(target);
      const lines = named(names ?? '').map(({ name, as }) => {
        const declared = shown.get(name);
        if (declared === undefined) throw new Error(`${target} does not show ${name}, which ${file} needs.`);
        write(declared.file);
        const path = relative(dirname(file), declared.file).replace(/\.d\.ts$/, '.js');
        return `${verb} { ${declared.name} as ${as} } from '${path.startsWith('.') ? path : `./${path}`}';`;
      });
      return lines.join('\n');
    },
  );
  const inline = /import\('([^']+)'\)|import\("([^"]+)"\)/.exec(text);
  if (inline !== null) throw new Error(`${file} imports ${inline[0]} within a type.`);
  const to = join(OUT, 'types', file);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text.replaceAll(/(from '\.[^']*)\.ts';/g, "$1.js';"));
}

rmSync(OUT, { recursive: true, force: true });
write(ENTRY);
await build({
  entryPoints: [join(DIST, 'client/client.js')],
  outfile: join(OUT, 'index.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
});
const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const manifest = {
  name: 'tessera-client',
  version,
  description: 'A typed client of the HTTP API of Tessera, for every runtime with fetch',
  license,
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: `./types/${ENTRY}`, default: './index.js' } },
};
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(ROOT, 'LICENSE'), join(OUT, 'LICENSE'));
writeFileSync(
  join(OUT, 'README.md'),
  `# tessera-client

\`\`\`ts
import { createClient } from 'tessera-client';

const tessera = createClient({ baseUrl: 'http://127.0.0.1:8787' });
const { summary } = await tessera.digests.create({ documents: [{ id: 'a', text: 'The trams run.' }] });
\`\`\`

Calls are rejected with subclasses of \`TesseraClientError\`; what may pass is tried again.
`,
);
