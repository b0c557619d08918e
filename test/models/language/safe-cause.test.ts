import { BadRequestError } from 'openai';
import { expect, test } from 'vitest';
import { shownAddress } from '../../../src/models/index.ts';
import { safeCause } from '../../../src/models/language/safe-cause.ts';

const shown = (words: string, sent: readonly string[] = []): string => safeCause(new Error(words), 'own', sent).message;

test.each([
  ['Incorrect API key provided: sk-proj-ab12***wxyz.', 'sk-proj'],
  ['the header was "Bearer abc.def"', 'abc.def'],
  ['no account for 5d41402abc4b2a76b971', '5d41402a'],
  ['token dGhpcyBpcyBub3QgYSBrZXk+YQ== has expired', 'dGhp'],
  ['token dGhpcy1pcy1ub3Q_YS1rZXk-YWJj has expired', 'dGhp'],
  ['key 01234567-89ab-cdef-0123-456789abcdef', '01234567'],
  ['no credentials in http://me:p@ss@models.example/v1', 'ss@'],
  ['GET https://models.example/v1?api_key=hush failed', 'hush'],
])('%s: the key is hidden', (words, secret) => {
  expect(shown(words)).toContain('[hidden]');
  expect(shown(words)).not.toContain(secret);
});

test.each([
  'The model text-embedding-3-small does not take max_completion_tokens at /v1/chat/completions',
  'gpt-4o-mini-2024-07-18 and intfloat/e5-mistral-7b-instruct: context_length_exceeded',
  'Connection error.: fetch failed: UND_ERR_SOCKET',
])('%s: words and names stay', (words) => {
  expect(shown(words)).toBe(words);
});

test('codes that look like keys are left out; the id of the request stays', () => {
  const id = 'req_0123456789abcdef0123456789abcdef';
  const error = new BadRequestError(
    400,
    { code: 'sk-abcdef', type: 'invalid' },
    'no',
    new Headers({ 'x-request-id': id }),
  );
  const cause = safeCause(error, 'own', []);
  expect(cause).toMatchObject({ name: 'BadRequestError', status: 400, type: 'invalid', requestId: id });
  expect(cause).not.toHaveProperty('code');
});

test.each([
  ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
  ['https://me:hush@models.example/v1', 'https://models.example/v1'],
  ['https://models.example/v1/?api_key=hush#hush', 'https://models.example/v1/'],
])('%s is shown without what may be secret', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});
