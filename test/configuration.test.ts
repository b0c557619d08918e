import { describe, expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from '../src/configuration.ts';

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8787,
  database: 'var/tessera.sqlite',
  models: undefined,
  hub: 'https://huggingface.co',
  encoder: 'auto',
  matrix: 'auto',
  maxBodyBytes: 32 * 1024 * 1024,
  logLevel: 'info',
};

test('an empty environment gives the defaults', () => {
  expect(readConfiguration({})).toEqual(DEFAULTS);
});

test('every setting is read', () => {
  const environment = {
    HOST: '::1',
    PORT: '0',
    TESSERA_DB: '/tmp/x.sqlite',
    TESSERA_MODELS: '/models',
    TESSERA_HUB: 'http://127.0.0.1:9',
    TESSERA_ENCODER: 'use-lite',
    TESSERA_MATRIX: 'portable',
    TESSERA_MAX_BODY_MB: '1',
    TESSERA_LOG: 'silent',
  };
  expect(readConfiguration(environment)).toEqual({
    host: '::1',
    port: 0,
    database: '/tmp/x.sqlite',
    models: '/models',
    hub: 'http://127.0.0.1:9',
    encoder: 'use-lite',
    matrix: 'portable',
    maxBodyBytes: 1024 * 1024,
    logLevel: 'silent',
  });
});

test('an empty value counts as absent, and other variables do not matter', () => {
  const names = ['HOST', 'PORT', 'TESSERA_DB', 'TESSERA_MODELS', 'TESSERA_HUB', 'TESSERA_ENCODER', 'TESSERA_MATRIX'];
  const empty = Object.fromEntries([...names, 'TESSERA_MAX_BODY_MB', 'TESSERA_LOG'].map((name) => [name, '']));
  expect(readConfiguration({ ...empty, PATH: '/bin', OPENAI_API_KEY: 'sk-x', LOST: undefined })).toEqual(DEFAULTS);
});

describe('a wrong value is named with what it may be', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['PORT', '1e3'],
    ['TESSERA_HUB', 'huggingface'],
    ['TESSERA_ENCODER', 'word2vec'],
    ['TESSERA_ENCODER', 'AUTO'],
    ['TESSERA_MATRIX', 'gpu'],
    ['TESSERA_MAX_BODY_MB', '0'],
    ['TESSERA_MAX_BODY_MB', '1025'],
    ['TESSERA_MAX_BODY_MB', '1.5'],
    ['TESSERA_LOG', 'loud'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfiguration({ [name]: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(new RegExp(`^${name} must be .+, not "${value.replace('.', '\\.')}"\\.$`));
  });
});

test('what stands for an integer is one', () => {
  expect(readConfiguration({ PORT: '65535' }).port).toBe(65535);
  expect(readConfiguration({ TESSERA_MAX_BODY_MB: '1024' }).maxBodyBytes).toBe(2 ** 30);
});
