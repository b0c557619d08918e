/**
 * Writes the bytes of each .wat file of src/selection/dpp where the source imports them. Run it where one has changed; a test
 * holds the two together.
 */
import { writeFileSync } from 'node:fs';
import { assemble, MODULES } from './assemble.ts';

for (const name of MODULES) {
  const base64 = Buffer.from(await assemble(name)).toString('base64');
  const lines = base64.match(/.{1,112}/g) ?? [];
  const constant = name.toUpperCase().replaceAll('-', '_');
  writeFileSync(
    new URL(`../src/selection/dpp/${name}-wasm.ts`, import.meta.url),
    `/** ${name}.wat, assembled: \`npm run wasm\` writes this file. */\nexport const ${constant} =\n${lines
      .map((line) => `  '${line}'`)
      .join(' +\n')};\n`,
  );
}
