import { expect, test } from 'vitest';
import { createKeyCommand, listKeysCommand, revokeKeyCommand, UnknownKeyError } from '../../src/cli/keys.node.ts';
import { createKey, findKey, InvalidApiKeyError, listKeys } from '../../src/store/index.ts';
import { memoryDatabase } from '../support/test-deps.ts';

const at = (database: ReturnType<typeof memoryDatabase>, time: string) => ({
  ...database,
  now: () => Date.parse(time),
});

test('"keys create" prints the key alone, and beside it what it is', async () => {
  const database = memoryDatabase();
  const { out, note } = await createKeyCommand(database, { name: 'ci' });
  const key = await findKey(database, out.trimEnd());
  expect(out).toMatch(/^tsr_\w+\n$/);
  expect(key).toMatchObject({ tenant: 'default', name: 'ci', scopes: ['digests', 'experiments'] });
  expect(note).toBe(
    `Key ${key?.id} of tenant default for digests, experiments. It is shown this once; only a hash of it is kept.\n`,
  );
  expect(note).not.toContain('tsr_');
});

test('for another tenant, with other scopes', async () => {
  const database = memoryDatabase();
  await createKeyCommand(database, { name: 'ops', tenant: 'acme', scopes: 'admin, digests' });
  expect(await listKeys(database)).toMatchObject([{ tenant: 'acme', name: 'ops', scopes: ['digests', 'admin'] }]);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'n', tenant: '' }, 'tenant'],
  [{ name: 'n', scopes: '' }, 'scope'],
  [{ name: 'n', scopes: 'digests,root' }, '"root"'],
])('%j makes no key', async (values, named) => {
  const database = memoryDatabase();
  const made = createKeyCommand(database, values);
  await expect(made).rejects.toThrow(InvalidApiKeyError);
  await expect(made).rejects.toThrow(named);
  expect(await listKeys(database)).toEqual([]);
});

test('"keys list" shows all but the keys', async () => {
  const database = memoryDatabase();
  expect(await listKeysCommand(database)).toBe('There are no keys.\n');
  const one = await createKey(at(database, '2026-03-04T05:06:07Z'), {
    tenant: 'acme',
    name: 'of the ci',
    scopes: ['digests'],
  });
  const two = await createKey(at(database, '2026-03-05T00:00:00Z'), {
    tenant: 'b',
    name: 'x',
    scopes: ['digests', 'admin'],
  });
  await revokeKeyCommand(at(database, '2026-03-06T00:00:00Z'), two.id);
  const pad = (text: string, width: number) => text.padEnd(width);
  const line = (...cells: string[]) =>
    cells
      .map((cell, i) => pad(cell, [36, 6, 9, 13, 13, 17, 9, 0][i]))
      .join('  ')
      .trimEnd();
  const all = [
    line('id', 'tenant', 'name', 'key', 'scopes', 'created', 'last used', 'revoked'),
    line(one.id, 'acme', 'of the ci', `${one.key.slice(0, 12)}…`, 'digests', '2026-03-04T05:06Z', '-', '-'),
    line(two.id, 'b', 'x', `${two.key.slice(0, 12)}…`, 'digests,admin', '2026-03-05T00:00Z', '-', '2026-03-06T00:00Z'),
  ];
  expect(await listKeysCommand(database)).toBe(`${all.join('\n')}\n`);
  const ofB = await listKeysCommand(database, { tenant: 'b' });
  expect(ofB).toContain(two.id);
  expect(ofB).not.toContain(one.id);
});

test('"keys revoke" says so, also of one that is revoked, and names an id that is unknown', async () => {
  const database = memoryDatabase();
  const { id, key } = await createKey(database, { tenant: 'acme', name: 'n', scopes: ['digests'] });
  const text = await revokeKeyCommand(database, id);
  expect(text).toContain(`${id} is revoked`);
  expect(await findKey(database, key)).toBeUndefined();
  expect(await revokeKeyCommand(database, id)).toBe(text);
  await expect(revokeKeyCommand(database, 'key_x')).rejects.toThrow(UnknownKeyError);
});
