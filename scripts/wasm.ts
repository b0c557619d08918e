/**
 * Writes the bytes of src/selection/dpp/subtract-products.wat where the source imports them. Run it where the .wat has changed; a test
 * holds the two together.
 */
import { writeFileSync } from 'node:fs';
import { assemble } from './assemble.ts';

const TARGET = new URL('../src/selection/dpp/subtract-products-wasm.ts', import.meta.url);

const base64 = Buffer.from(await assemble()).toString('base64');
const lines = base64.match(/.{1,112}/g) ?? [];
writeFileSync(
  TARGET,
  `/** subtract-products.wat, assembled: \`npm run wasm\` writes this file. */\nexport const SUBTRACT_PRODUCTS =\n${lines
    .map((line) => `  '${line}'`)
    .join(' +\n')};\n`,
);
