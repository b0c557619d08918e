/** Assembles the .wat files of src/selection/dpp into `wasm-code.ts`. Run it after changing one; a test compares the two. */
import { writeFileSync } from 'node:fs';
import { assemble, MODULES } from './assemble.ts';

const constants = await Promise.all(
  MODULES.map(async (name) => {
    const base64 = Buffer.from(await assemble(name)).toString('base64');
    const lines = (base64.match(/.{1,112}/g) ?? []).map((line) => `  '${line}'`).join(' +\n');
    return `/** ${name}.wat, assembled. */\nexport const ${name.toUpperCase().replaceAll('-', '_')} =\n${lines};\n`;
  }),
);
writeFileSync(
  new URL('../src/selection/dpp/wasm-code.ts', import.meta.url),
  `// Written by \`npm run wasm\`.\n\n${constants.join('\n')}`,
);
