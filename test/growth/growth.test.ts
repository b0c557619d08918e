import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { EXEMPT, RULES } from './rules.ts';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** The end of what a bracket opens; `=>` closes nothing. */
function endOf(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if ('(<'.includes(code[at])) depth++;
    else if (code[at] === ')' || (code[at] === '>' && code[at - 1] !== '=')) depth--;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

/** The exported functions of a file whose parameters name a string. */
function overStrings(code: string): string[] {
  return [...code.matchAll(/^export (?:async )?function\*? (\w+)/gm)].flatMap(({ 0: head, 1: name, index }) => {
    const from = index + head.length;
    const start = code[from] === '<' ? endOf(code, from) : from;
    return /\bstring\b/.test(code.slice(start, endOf(code, start))) ? [name] : [];
  });
}

test('each exported function over text stands in the table of rules, or with the reason why not', () => {
  const missing = ['text', 'summary', 'evaluation', 'models'].flatMap((room) =>
    readdirSync(SOURCE + room, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        overStrings(readFileSync(`${SOURCE}${room}/${file}`, 'utf8')).map((name) => ({ room, file, name })),
      )
      .filter(({ file, name }) => RULES[`${room}/${file}`]?.[name] === undefined && EXEMPT[name] === undefined)
      .map(({ file, name }) => `${room}/${file} ${name}`),
  );
  expect(missing).toEqual([]);
  expect(
    overStrings('export function a<T>(b: readonly T[], c: { d: string }): void {}\nexport function e(f: number) {}'),
  ).toEqual(['a']);
});

test('no rule takes more than linear time for a hostile text, and one that does would be found', {
  timeout: 170_000,
}, async () => {
  const grow = fileURLToPath(new URL('grow.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', grow], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    timeout: 160_000,
  });
  const { found, rules } = JSON.parse(stdout);
  expect(found.filter((each: string) => !each.startsWith('planted '))).toEqual([]);
  expect(found.length).toBeGreaterThan(0);
  expect(rules).toBeGreaterThan(120);
});
