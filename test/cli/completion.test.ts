import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { completionScript } from '../../src/cli/completion.ts';
import { allCommands } from '../../src/cli/index.node.ts';
import { callCli } from '../support/call-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ALL = await allCommands();
const NAMES = Object.keys(ALL);
const script = completionScript('bash', ALL);

/** What bash offers behind each of these lines, whose last word is the one that is typed. */
function offered(lines: readonly string[]): string[][] {
  const asking = lines.map(
    (line) =>
      `COMP_WORDS=(tessera ${line.replace(/(^| )$/, "$1''")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tessera; echo "\${COMPREPLY[*]}"`,
  );
  const told = execFileSync('bash', ['--norc'], { input: [script, ...asking].join('\n'), encoding: 'utf8' });
  const answers = told.split('\n').slice(0, -1);
  return answers.map((words) => words.split(' ').filter((word) => word !== ''));
}

test('"tessera completion bash" prints what bash can read', async () => {
  const { code, stdout, stderr } = await callCli(['completion', 'bash'], temporaryFolder());
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(script);
  execFileSync('bash', ['-n'], { input: stdout });
});

test('commands are completed, and what stands below them', () => {
  const first = [...new Set(NAMES.map((name) => name.split(' ')[0]))];
  expect(
    offered(['', 'dig', 'ke', 'keys ', 'keys cr', 'keys create ', 'eval j', 'digest notes', 'no-such ', '--v']),
  ).toEqual([
    first,
    ['digest'],
    ['keys'],
    ['create', 'list', 'revoke'],
    ['create'],
    [],
    ['judge'],
    [],
    [],
    ['--version'],
  ]);
  const lines = NAMES.map((name) => name.slice(0, -1));
  expect(offered(lines).every((words, n) => words.includes(NAMES[n].split(' ').at(-1) ?? ''))).toBe(true);
});

test('every command offers each option that it has, and none that it has not', () => {
  const places = NAMES.map((name) => `${name} some.file --`);
  offered(places).forEach((words, n) => {
    const { flags, usage } = ALL[NAMES[n]];
    const known = Object.keys(flags).map((flag) => `--${flag}`);
    const told = usage.match(/--[a-z-]+/g) ?? [];
    expect(words.toSorted()).toEqual([...new Set([...known, ...told, '--help'])].sort());
  });
});

test('names of files are left to the shell', () => {
  const asked = `${script}\ncomplete -p tessera`;
  expect(execFileSync('bash', ['--norc'], { input: asked, encoding: 'utf8' })).toMatch(
    /-o default .*-F _tessera tessera/,
  );
  expect(offered(['digest ', 'eval --judge ', 'eval scores.jsonl '])).toEqual([[], [], []]);
});

test('zsh is completed by the same words', () => {
  const text = completionScript('zsh', ALL).split('\n');
  expect(text[1]).toBe('autoload -U +X bashcompinit && bashcompinit');
  expect(text.slice(2)).toEqual(script.split('\n').slice(1));
});
