import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Makes `dist/client-package/` of what `tsc` has left in `dist/`: the client as a package of its own, one file of code and its
 * declarations. Types of requests and answers are inferred from schemas of zod, so that they are written out here: the package needs none.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const OUT = join(DIST, 'client-package');
const TYPES = join(OUT, 'types');
const WORK = join(OUT, 'work');

/** A statement that takes types from another room, which stand in `schemas.d.ts` here. */
const FROM_ROOM = /^(?:import|export) type \{([^}]*)\} from '\.\.\/(\w+\/index)\.ts';$/gm;
/** How the compiler names a type that it does not write out: one that is no object, or a constant's. */
const REFERENCE = /(typeof )?import\("\.\.\/\.\.\/([\w/-]+)\.js"(?:, \{ with: \{[^}]*\} \})?\)\.(\w+)/g;

/**
 * Types, written out, each under its own name.
 *
 * @param types what each name stands for, in TypeScript
 */
function writtenOut(types: ReadonlyMap<string, string>): string {
  // An alias that is declared within a function cannot be named outside, so that the compiler writes out what it stands for.
  const alias = 'type Whole<T> = { [Key in keyof T]: Whole<T[Key]> };';
  const lines = Array.from(
    types,
    ([name, type]) => `export const ${name} = (() => { ${alias} return null as unknown as Whole<${type}>; })();`,
  );
  const path = join(WORK, 'schemas.ts');
  writeFileSync(path, lines.join('\n'));
  const options = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--strict',
    '--exactOptionalPropertyTypes',
  ];
  const target = ['--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023', '--types', ''];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...options, ...target, path], { stdio: ['ignore', 'inherit', 'inherit'] });
  const text = readFileSync(join(WORK, 'schemas.d.ts'), 'utf8').replace(
    /^export declare const (\w+): /gm,
    'export type $1 = ',
  );
  const more = [...text.matchAll(REFERENCE)].filter(([, , , name]) => !types.has(name));
  if (more.length === 0) return text.replace(REFERENCE, '$3');
  return writtenOut(
    new Map([...types, ...more.map(([, kind = '', file, name]) => [name, typeIn(file, name, kind)] as const)]),
  );
}

function typeIn(file: string, name: string, kind = ''): string {
  return `${kind}import('../../${file}.js').${name}`;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(TYPES, { recursive: true });
mkdirSync(WORK);
const types = new Map<string, string>();
for (const file of readdirSync(join(DIST, 'client')).filter(
  (name) => name.endsWith('.d.ts') && name !== 'index.d.ts',
)) {
  const text = readFileSync(join(DIST, 'client', file), 'utf8');
  for (const [, list, door] of text.matchAll(FROM_ROOM)) {
    for (const each of list.split(',')) {
      const [name] = each.trim().split(' as ');
      if (name !== '') types.set(name, typeIn(door, name));
    }
  }
  const own = text
    .replaceAll(/'\.\.\/\w+\/index\.ts'/g, "'./schemas.ts'")
    .replaceAll(/(from '[^']*)\.ts';/g, "$1.js';")
    .replaceAll(/(import\("\.\/[^"]*)\.ts"/g, '$1.js"');
  const foreign = /from '(?!\.\/)[^']*'|import\((?!"\.\/)/.exec(own);
  if (foreign !== null)
    throw new Error(`${basename(file)} has ${foreign[0]}: the client's types must need nothing else.`);
  writeFileSync(join(TYPES, file), own);
}
writeFileSync(join(TYPES, 'schemas.d.ts'), writtenOut(types));
rmSync(WORK, { recursive: true });
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
  exports: { '.': { types: './types/client.d.ts', default: './index.js' } },
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
