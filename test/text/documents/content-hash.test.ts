import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentHash } from '../../../src/text/index.ts';

test('the published SHA-256 of the empty text and of "abc"', () => {
  expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('agrees with node:crypto on any well-formed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(contentHash(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    }),
  );
});

test('tells apart what looks alike', () => {
  expect(contentHash('é')).not.toBe(contentHash('e\u0301'));
  expect(contentHash('a\n')).not.toBe(contentHash('a\r\n'));
});
