import { expect, test } from 'vitest';
import { readConfiguration } from '../../../src/server/index.ts';
import { isForPeople, readyText, wordsLog } from '../../../src/server/runtime/terminal.ts';

const OLLAMA = { OPENAI_BASE_URL: 'http://user:secret@localhost:11434/v1?key=secret', TESSERA_MODEL: 'qwen3:8b' };

test.each([
  [{}, 'embedded, no language model (set TESSERA_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL, to attach one)'],
  [OLLAMA, 'embedded; qwen3:8b at http://localhost:11434/v1 for requests with "engine": "llm"'],
  [{ ...OLLAMA, TESSERA_ENGINE: 'llm' }, 'qwen3:8b at http://localhost:11434/v1'],
  [
    { OPENAI_API_KEY: 'sk-secret' },
    'embedded; the model that a request names at OpenAI for requests with "engine": "llm"',
  ],
  [
    { ...OLLAMA, TESSERA_EXTRACTOR: 'llm' },
    'embedded, with key points by qwen3:8b at http://localhost:11434/v1; qwen3:8b at http://localhost:11434/v1 for requests with "engine": "llm"',
  ],
])('with %o it tells its engine, and no secret', (environment, engine) => {
  const text = readyText('http://127.0.0.1:8787', readConfiguration(environment));
  expect(text).toContain(`\nEngine: ${engine}\n`);
  expect(text).not.toContain('secret');
});

test.each([
  ['http://127.0.0.1:8787', 'http://localhost:8787'],
  ['http://0.0.0.0:80', 'http://localhost:80'],
  ['http://[::]:80', 'http://localhost:80'],
  ['http://[::1]:80', 'http://localhost:80'],
  ['http://10.0.0.1:80', 'http://10.0.0.1:80'],
  ['http://127.0.0.10:80', 'http://127.0.0.10:80'],
])('bound to %s: open %s', (url, place) => {
  expect(readyText(url, readConfiguration({}))).toContain(`open ${place} in a browser.\n`);
});

test('names the database', () => {
  const at = (file: string) => readyText('http://localhost:1', readConfiguration({ TESSERA_DB: file }));
  expect(at('')).toContain('\nDatabase: var/tessera.sqlite\n');
  expect(at(':memory:')).toContain('\nDatabase: in memory');
});

test.each([
  ['debug', true, false],
  ['info', true, true],
  ['info', undefined, false],
] as const)('TESSERA_LOG=%s, terminal %s: for people %s', (logLevel, isTTY, isRead) => {
  expect(isForPeople({ logLevel }, { ...(isTTY && { isTTY }), write: () => {} })).toBe(isRead);
});

test.each([
  ['info', ['warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
] as const)('at %s it logs %j, a line each that a terminal cannot obey', (logLevel, shown) => {
  const lines: string[] = [];
  const log = wordsLog({ logLevel }, { write: (text) => lines.push(text) });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    log(level, { name: '\u001b[2J\n', err: new Error('no room') }, `it is ${level}`);
  }
  expect(lines.map((line) => /it is (\w+)/.exec(line)?.[1])).toEqual(shown);
  for (const line of lines) expect(line).toMatch(/^(?:Warning|Error): it is [^\n]*no room[^\n]*\n$/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
  expect(lines.join('')).not.toMatch(/\u001b/);
});
