import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { z } from 'zod';

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
/** Their names say all that there is to say where a package brings no text. */
const PERMISSIVE = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];
const LICENCE = /^(?:licen[cs]e|copying)(?:\.(?:md|markdown|txt))?$/i;

/** What packages hold of others without naming it in a manifest. */
const WITHIN: Readonly<Record<string, string>> = {
  unpdf:
    'It holds PDF.js (Copyright Mozilla Foundation), Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0',
  'swagger-ui-dist':
    'It holds React, Immutable.js, Redux and others, whose licences are named in its file swagger-ui-bundle.js.LICENSE.txt.',
  jszip: 'It holds pako (Copyright Vitaly Puzrin and Andrey Tupitsin), MIT, with parts of zlib under its own licence.',
};

/** The licences of all packages that bundles hold, each with its text. */
export function licencesOf(bundles: readonly Metafile[]): string {
  const inputs = bundles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  return [...folders]
    .sort()
    .map(licenceOf)
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const {
    name,
    version,
    license = 'see below',
  } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && !PERMISSIVE.includes(license)) throw new Error(`${name} comes without its licence`);
  return [`${name} ${version} (${license})`, ...(WITHIN[name] === undefined ? [] : [WITHIN[name]]), ...texts].join(
    '\n\n',
  );
}
