import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { contentHash } from '../../../src/text/index.ts';

/** The hash of runtimes that have none of their own. */
async function portableHash(): Promise<typeof contentHash> {
  const own = process.getBuiltinModule;
  vi.resetModules();
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    return (await import('../../../src/text/documents/content-hash.ts')).contentHash;
  } finally {
    Object.assign(process, { getBuiltinModule: own });
  }
}

test('the published SHA-256 of the empty text and of "abc"', () => {
  expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('agrees with node:crypto on any well-formed text, wherever it runs', async () => {
  const portable = await portableHash();
  expect(String(portable) === String(contentHash)).toBe(process.getBuiltinModule === undefined);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const known = createHash('sha256').update(text, 'utf8').digest('hex');
      expect([contentHash(text), portable(text)]).toEqual([known, known]);
    }),
  );
});

test('tells apart what looks alike', () => {
  expect(contentHash('é')).not.toBe(contentHash('e\u0301'));
  expect(contentHash('a\n')).not.toBe(contentHash('a\r\n'));
});
