import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Block, blocksOf, differences, isText } from './blocks.ts';
import { startEdge } from './edge-service.ts';
import { ROOT, run, type Service, startService } from './processes.ts';

/** Pages whose blocks are run, each as it is printed and in order; only the address of the service, or of the Worker, is another. */
const guides = readdirSync(join(ROOT, 'docs/guides')).map((file) => `docs/guides/${file}`);
const REFERENCE = ['api', 'cli', 'mcp', 'operations', 'settings'].map((name) => `docs/${name}.md`);
const PAGES = ['README.md', 'examples/README.md', ...REFERENCE, ...guides];
const ANSWERS = ['text', 'json'];

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function outputOf({ language, text }: Block): Promise<string> {
  const { host } = new URL(service.url);
  let code = text.replaceAll('localhost:8787', host);
  if (code.includes('localhost:8788')) {
    const edge = await startEdge();
    onTestFinished(edge.stop);
    code = code.replaceAll('localhost:8788', new URL(edge.url).host);
  }
  const settings = { ...service.settings, TESSERA_URL: service.url };
  if (language === 'js') return run(process.execPath, ['--input-type=module', '--eval', code], settings);
  return run('bash', ['-eo', 'pipefail', '-c', code], settings);
}

/** What is wrong with commands that are not run: those of npm and of `tessera` must exist, with their options. */
async function mistakesIn(text: string): Promise<string[]> {
  const commands = text
    .replaceAll('\\\n', ' ')
    .replace(/ +#.*$/gm, '')
    .trim()
    .split('\n');
  const found = await Promise.all(
    commands.map(async (command) => {
      const [, script] = /^npm (?:run (?:-s )?)?([\w:]+)/.exec(command) ?? [];
      if (script !== undefined) return script in scripts || ['ci', 'install'].includes(script) ? [] : [command];
      const [, tool, rest] = /(node dist\/cli\.js|npx wrangler) (.+)$/.exec(command) ?? [];
      if (tool === undefined || rest === undefined) return [];
      const words = /^[a-z][a-z0-9-]*(?: (?:create|list|revoke|secret|pull|put|execute)\b)?/.exec(rest)?.[0] ?? rest;
      const help = await run('bash', ['-c', `${tool.replace('npx ', 'node_modules/.bin/')} ${words} --help`], {});
      const options = rest.match(/(?<= )--[a-z][a-z-]*/g) ?? [];
      return options.filter((option) => !help.includes(option)).map((option) => `${command}: ${option}`);
    }),
  );
  return found.flat();
}

describe.each(PAGES)('%s', (page) => {
  const blocks = blocksOf(page, read(page));

  test('links to what exists', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link]) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });

  test('has only blocks that are run, answers of such, or excused', () => {
    const odd = blocks.filter(({ language, excuse }, place) => {
      if (excuse !== null || language === 'js' || language === 'sh') return false;
      const before = blocks[place - 1];
      return (
        !ANSWERS.includes(language) ||
        before === undefined ||
        before.excuse !== null ||
        !/^(?:js|sh)$/.test(before.language)
      );
    });
    expect(odd.map(({ place }) => place)).toEqual([]);
  });

  blocks.forEach((block, place) => {
    const answer = blocks[place + 1];
    if (block.excuse !== null) {
      test(`${block.place} has no mistake`, async () => {
        if (block.language !== 'sh') return;
        await run('bash', ['-n', '-c', block.text], {});
        expect(await mistakesIn(block.text)).toEqual([]);
      });
    } else if (!ANSWERS.includes(block.language)) {
      test(`${block.place} does what is printed`, async () => {
        const output = await outputOf(block);
        if (answer?.language === 'json') expect(differences(JSON.parse(answer.text), JSON.parse(output))).toEqual([]);
        if (answer?.language === 'text' && !isText(answer.text, output)) expect(output).toBe(answer.text);
      });
    }
  });
});

test('the README starts the service that answers here', () => {
  expect(read('README.md')).toContain('npm start\n');
  expect(scripts.start).toMatch(/&& node dist\/cli\.js serve$/);
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(112);
});

test('a command that is not run is still looked at', async () => {
  expect(
    await mistakesIn('npm run gone\nnode dist/cli.js serve --gone\nnode dist/cli.js keys create --name app'),
  ).toEqual(['npm run gone', 'node dist/cli.js serve --gone: --gone']);
});
