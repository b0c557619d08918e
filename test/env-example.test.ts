import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfiguration } from '../src/server/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LINES = readFileSync(join(ROOT, '.env.example'), 'utf8').split('\n');
const SETTINGS = LINES.flatMap((line, index) => {
  const [, name, value] = /^#([A-Z][A-Z_]*)=(.*)$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, value, before: LINES[index - 1] }];
});

/** Names of settings in the code, wherever they stand. */
function namesInCode(): string[] {
  // The samples of the API reference show what a client's own settings may be called.
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!open-api)\.ts$/.test(file),
  );
  const texts = files.map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
  const found = texts.flatMap(
    (text) => text.match(/\b(?:TESSERA_[A-Z]+(?:_[A-Z]+)*|OPENAI_(?:API_KEY|BASE_URL))\b/g) ?? [],
  );
  return [...new Set([...found, 'HOST', 'PORT'])].sort();
}

test('names every setting that the code reads, once, and no other', () => {
  const names = namesInCode();
  expect(names.length).toBeGreaterThan(35);
  expect(SETTINGS.map(({ name }) => name).sort()).toEqual(names);
});

test('with every line taken in, nothing is other than without it', () => {
  const environment = Object.fromEntries(SETTINGS.map(({ name, value }) => [name, value]));
  expect(readConfiguration(environment)).toEqual(readConfiguration({}));
});

test('another value of any of those would be seen', () => {
  const names = SETTINGS.filter(({ value }) => value !== '').map(({ name }) => name);
  for (const name of names) {
    const read = () => readConfiguration({ [name]: '~' });
    if (['TESSERA_DB', 'HOST'].includes(name)) expect(read()).not.toEqual(readConfiguration({}));
    else expect(read).toThrow(name);
  }
});

test('says of each what it is, in the line before', () => {
  for (const { name, before } of SETTINGS) expect(before, name).toMatch(/^# \S.{10,}/);
});
