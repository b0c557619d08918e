import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Table, tableSchema } from '../../src/contract/index.ts';
import { csvLines } from '../../src/lab/index.ts';
import { runCli } from '../support/cli.ts';
import { CITY } from '../support/documents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const QUESTIONS = ['--question', 'How much is the congestion charge?', '--question', 'Who is the mayor of Lisbon?'];
const env = { TESSERA_DB: ':memory:' };

function folderOfFiles() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'minutes.md'), CITY[0].text);
  writeFileSync(join(folder, 'empty.txt'), ' ');
  return folder;
}

test('prints a text table, and writes CSV and Excel', async () => {
  const folder = folderOfFiles();
  const files = ['--csv', 'out.csv', '--xlsx', 'out.xlsx'];
  const { code, stdout, stderr } = await runCli(['table', '.', ...QUESTIONS, ...files], folder, env);
  expect([code, stderr]).toEqual([0, 'Left out: empty.txt: No text was found in it.\n']);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^Document +How much is the congestion charge\? +Who is the mayor/);
  expect(stdout.replace(/\s+/g, ' ')).toContain('(1 of 1)');
  expect(stdout).toContain('congestion charge of 4');
  expect(stdout).toContain('Note: Left out: empty.txt');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const rows = csvLines(readFileSync(join(folder, 'out.csv'), 'utf8'));
  expect(rows.map((row) => row.length)).toEqual([5, 5]);
  expect(CITY[0].text).toContain(rows[1][2]);
  expect(readFileSync(join(folder, 'out.xlsx')).subarray(0, 2).toString()).toBe('PK');
});

test('--json prints the answer of the API', async () => {
  const { code, stdout } = await runCli(['table', 'minutes.md', '--json', ...QUESTIONS], folderOfFiles(), env);
  expect(code).toBe(0);
  const table = tableSchema.parse(JSON.parse(stdout)) as Table;
  expect(table.rows[0].cells.map(({ answered }) => answered)).toEqual([true, false]);
});

test.each([
  [['minutes.md'], /at least one --question/],
  [['minutes.md', '--question', '?'], /has no words/],
  [['--question', 'What?'], /Name files/],
  [['minutes.md', '--question', 'What?', '--question', 'what?'], /duplicate question/],
])('a wrong call ends with 2 and one line: %j', async (args, line) => {
  const { code, stdout, stderr } = await runCli(['table', ...args], folderOfFiles(), env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(line);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
