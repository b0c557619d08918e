import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupBy, groups, recentlyUsed } from '../../src/text/index.ts';

const words = fc.array(fc.record({ kind: fc.constantFrom('a', 'b', 'c'), size: fc.integer({ min: 0, max: 9 }) }));

describe('groups', () => {
  /** A row costs its size, and two more where the group before it holds none of its kind; three rows are too many. */
  const costOf = (row: { kind: string; size: number }, group: readonly { kind: string }[]): number => {
    if (group.length === 3) return Number.POSITIVE_INFINITY;
    return row.size + (group.some(({ kind }) => kind === row.kind) ? 0 : 2);
  };
  const sizeOf = (group: readonly { kind: string; size: number }[]): number =>
    group.reduce((sum, { size }) => sum + size, 0) + 2 * new Set(group.map(({ kind }) => kind)).size;

  test('hold all rows in order, as many as fit, and one that does not fit alone', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 30 }), (rows, most) => {
        const parts = [...groups(rows, most, costOf)];
        expect(parts.flat()).toEqual(rows);
        for (const [place, part] of parts.entries()) {
          expect(part.length === 1 || (part.length <= 3 && sizeOf(part) <= most)).toBe(true);
          const [next] = parts[place + 1] ?? [];
          if (next !== undefined) expect(part.length === 3 || sizeOf([...part, next]) > most).toBe(true);
        }
      }),
    );
  });
});

test('rows grouped by a key stand in order, groups in that of their first rows', () => {
  fc.assert(
    fc.property(words, (rows) => {
      const found = groupBy(rows, ({ kind }) => kind);
      expect([...found.keys()]).toEqual([...new Set(rows.map(({ kind }) => kind))]);
      for (const [key, own] of found) expect(own).toEqual(rows.filter(({ kind }) => kind === key));
    }),
  );
});

test('what was used least recently is forgotten first, and what alone is too large is not kept', () => {
  const kept = recentlyUsed<string>(5, ({ length }) => length);
  for (const name of ['aa', 'bb']) kept.keep(name, name);
  kept.get('aa');
  kept.keep('cc', 'cc');
  expect(['aa', 'bb', 'cc'].map(kept.get)).toEqual(['aa', undefined, 'cc']);
  kept.keep('long', 'dddddd');
  expect(kept.get('long')).toBeUndefined();
  kept.keep('aa', 'a');
  kept.forget('cc');
  expect([kept.get('aa'), kept.get('cc'), kept.total()]).toEqual(['a', undefined, 1]);
});
