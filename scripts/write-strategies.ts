import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MODEL_STRATEGIES, STRATEGY_NAMES, strategies } from '../src/selection/index.ts';

const REFERENCE = new URL('../docs/api.md', import.meta.url);
const TABLE = /^\| `selection\.strategy` .*\n(?:\|.*\n)*/m;

/** A text with the table of strategies in the place of the one that it has. */
export function withTable(text: string): string {
  const rows = STRATEGY_NAMES.filter((name) => !MODEL_STRATEGIES.includes(name)).map((name, place) => {
    const { objective, sizes, own } = strategies[name];
    const options = Object.keys(Object(own?.defaults)).map((field) => `\`${own?.key}.${field}\``);
    const takes = sizes.includes('none') ? 'none' : sizes.map((size) => `\`${size}\``).join(', ');
    return `| \`${name}\`${place === 0 ? ' (default)' : ''} | ${[objective, ...options].join(', ')} | ${takes} |\n`;
  });
  return text.replace(
    TABLE,
    () => `| \`selection.strategy\` | chooses | \`selection.size\` |\n| --- | --- | --- |\n${rows.join('')}`,
  );
}

/** Writes it afresh from the registry: `npx tsx scripts/write-strategies.ts`. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(REFERENCE, withTable(readFileSync(REFERENCE, 'utf8')));
}
