import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../src/cli/index.ts';
import { editsBetween } from '../../src/cli/nearest.ts';

/** The same by its definition. */
function slowEdits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const ways = [slowEdits(restA, b) + 1, slowEdits(a, restB) + 1, slowEdits(restA, restB) + (a[0] === b[0] ? 0 : 1)];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) ways.push(slowEdits(a.slice(2), b.slice(2)) + 1);
  return Math.min(...ways);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

test('edits are those of the definition, either way round', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editsBetween(a, b)).toBe(slowEdits(a, b));
      expect(editsBetween(b, a)).toBe(editsBetween(a, b));
    }),
  );
});

test('what was meant, and nothing where nothing is near', () => {
  const words = ['digest', 'serve', 'work', 'keys', 'backup', 'eval', 'compare'];
  const meant = ['digset', 'serv', 'wrok', 'key', 'backpu', 'compar', 'sing', 'x', ''].map((given) =>
    nearest(given, words),
  );
  expect(meant).toEqual(['digest', 'serve', 'work', 'keys', 'backup', 'compare', null, null, null]);
  expect(nearest('anything', [])).toBeNull();
});
