import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands, helpOf } from '../../src/cli/index.node.ts';
import { callCli } from '../support/call-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ALL = await allCommands();

test.each(Object.keys(ALL))('%s: help, and nothing is done', async (name) => {
  const folder = temporaryFolder();
  const { code, stdout, stderr } = await callCli([...name.split(' '), '--help'], folder, { PORT: '0' });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(helpOf(name, ALL[name]));
  expect(stdout).toContain(`\nUsage: tessera ${name}`);
});

test.each(Object.entries(ALL))('%s: every option of an example is one of its own', (name, command) => {
  expect(command.examples.length).toBeGreaterThan(0);
  const known = `${command.usage} ${Object.keys(command.flags).map((flag) => `--${flag}`)}`;
  const making = ['--out', '--intent'];
  for (const example of command.examples) {
    expect(example).toContain(`tessera ${name}`);
    for (const [flag] of example.matchAll(/(?<= )--[\w-]+/g)) {
      expect(making.includes(flag) || known.includes(flag), `${flag} in ${example}`).toBe(true);
    }
  }
});

test('every command is in the overview, in one line', async () => {
  const { code, stdout, stderr } = await callCli(['--help'], temporaryFolder());
  expect([code, stderr]).toEqual([0, '']);
  for (const [name, { summary }] of Object.entries(ALL)) {
    if (name.startsWith('benchmark ')) continue;
    expect(stdout.split('\n').filter((line) => line.startsWith(`  ${name}  `))).toEqual([
      expect.stringContaining(summary),
    ]);
  }
  expect(stdout).toMatch(/^ {2}benchmark {2}/m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test.each(['keys', 'tenants', 'webhooks', 'models', 'benchmark'])(
  '%s --help lists the commands below it',
  async (group) => {
    const { code, stdout } = await callCli([group, '--help'], temporaryFolder());
    expect(code).toBe(0);
    const below = Object.keys(ALL).filter((name) => name.startsWith(`${group} `));
    for (const name of below) expect(stdout).toContain(`\n  ${name} `);
  },
);

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { code, stdout } = await callCli(['--version'], temporaryFolder());
  expect([code, stdout]).toEqual([0, `${version}\n`]);
});

test.each([
  ['', 'Name a command, such as "digest" or "serve". See "tessera --help".'],
  ['digset', 'There is no command "digset". See "tessera --help".'],
  ['summarise notes.md', 'There is no command "summarise". See "tessera --help".'],
  ['toString', 'There is no command "toString". See "tessera --help".'],
  ['keys', 'Behind "keys" stands one of create, list, revoke. See "tessera keys --help".'],
  ['keys crate', 'Behind "keys" stands one of create, list, revoke. See "tessera keys --help".'],
  ['models list', 'Behind "models" stands pull. See "tessera models --help".'],
  ['serve now', '"now" is one word too many: only options stand here. See "tessera serve --help".'],
  ['work --jobs 3', 'There is no option --jobs. See "tessera work --help".'],
  ['keys list --tenant', '--tenant needs a value. See "tessera keys list --help".'],
  ['tenants delete a --yes=no', '--yes takes no value. See "tessera tenants delete --help".'],
  ['backup a.sqlite b.sqlite', 'Name a file, and one only. See "tessera backup --help".'],
  ['models pull --to models', 'Name a model of the hub, and one only. See "tessera models pull --help".'],
  [
    'models pull Xenova/bge-small-en-v1.5',
    'Say where to: TESSERA_MODELS or --to FOLDER. See "tessera models pull --help".',
  ],
])('tessera %s: exit code 2, and one line', async (line, told) => {
  const { code, stdout, stderr } = await callCli(line === '' ? [] : line.split(' '), temporaryFolder());
  expect([code, stdout, stderr]).toEqual([2, '', `${told}\n`]);
});

test.each(Object.entries(ALL))(
  '%s: an option that it has not is told in a line, and nothing is done',
  async (name, command) => {
    const folder = temporaryFolder();
    const named = Object.keys(command.flags).at(0);
    const { code, stdout, stderr } = await callCli([...name.split(' '), '--no-such-thing', '1'], folder, { PORT: '0' });
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `There is no option --no-such-thing. See "tessera ${name} --help".\n`,
    ]);
    if (named !== undefined && command.flags[named].type === 'string') {
      const lacking = await callCli([...name.split(' '), `--${named}`], folder, { PORT: '0' });
      expect([lacking.code, lacking.stdout, lacking.stderr]).toEqual([
        2,
        '',
        `--${named} needs a value. See "tessera ${name} --help".\n`,
      ]);
    }
    expect(readdirSync(folder)).toEqual([]);
  },
);

/** Commands that are called without anything behind them. */
const ALONE = ['serve', 'work', 'mcp', 'keys list', 'tenants list', 'webhooks secret'];

test.each(Object.keys(ALL).filter((name) => !ALONE.includes(name)))(
  '%s: what has to stand behind it and does not is told in a line, and nothing is done',
  async (name) => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await callCli(name.split(' '), folder, { PORT: '0' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^[^\n]+\. See "tessera [a-z -]+ --help"\.\n$/);
    expect(stderr).toContain(`See "tessera ${name} --help".`);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.each([
  ['keys create --name', ' ', 'A key has a name of 1 to 100 characters on one line.'],
  ['keys create --name n --tenant', '-x y', 'A tenant has 1 to 63 letters'],
  ['keys create --sql --name n --scopes', 'root', '"root" is no scope'],
])('%s "%s" is a wrong call', async (line, value, told) => {
  const args = line.split(' ');
  const last = args.at(-1) ?? '';
  const given = last.startsWith('--') ? [...args.slice(0, -1), `${last}=${value}`] : [...args, value];
  const { code, stdout, stderr } = await callCli(given, temporaryFolder(), { TESSERA_DB: ':memory:' });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toContain(told);
});

test.each([
  ['../models', []],
  ['a/b', ['--dtype', 'q7']],
])('models pull %s: what is no model or no precision is told', async (model, more) => {
  const { code, stderr } = await callCli(['models', 'pull', model, '--to', 'models', ...more], temporaryFolder());
  expect(code).toBe(2);
  expect(stderr).toMatch(/^The (model|dtype) [^\n]+ See "tessera models pull --help"\.\n$/);
});
