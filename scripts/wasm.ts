/**
 * Writes the bytes of each .wat file of src/selection where the source imports them. Run it where one has changed; tests hold the
 * two together.
 */
import { writeFileSync } from 'node:fs';
import { assemble, fileOf, MODULES } from './assemble.ts';

for (const name of Object.keys(MODULES) as (keyof typeof MODULES)[]) {
  const base64 = Buffer.from(await assemble(name)).toString('base64');
  const lines = base64.match(/.{1,112}/g) ?? [];
  const constant = name.toUpperCase().replaceAll('-', '_');
  writeFileSync(
    fileOf(name, '-wasm.ts'),
    `/** ${name}.wat, assembled: \`npm run wasm\` writes this file. */\nexport const ${constant} =\n${lines
      .map((line) => `  '${line}'`)
      .join(' +\n')};\n`,
  );
}
