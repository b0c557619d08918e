import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { STRATEGY_NAMES, shownStrategies, strategies } from '../src/selection/index.ts';

const PAGE = new URL('../src/page/parts/strategies.json', import.meta.url);
const REFERENCE = new URL('../docs/api.md', import.meta.url);
const TABLE = /^\| `selection\.strategy` .*\n(?:\|.*\n)*/m;

/** What the page knows of strategies, as the file that it loads. */
export function pageFile(): string {
  return `${JSON.stringify(shownStrategies(), null, 2)}\n`;
}

/** A text with the table of strategies in the place of the one that it has. */
export function withTable(text: string): string {
  const rows = STRATEGY_NAMES.filter((name) => strategies[name].group !== 'model').map((name, place) => {
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

/** Writes both afresh from the registry: `npx tsx scripts/write-strategies.ts`. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(PAGE, pageFile());
  writeFileSync(REFERENCE, withTable(readFileSync(REFERENCE, 'utf8')));
}
