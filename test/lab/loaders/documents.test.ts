import { expect, test } from 'vitest';
import { idsOfFiles } from '../../../src/lab/loaders/documents.ts';

test.each([
  [['/x/docs/a.md'], ['a.md']],
  [
    ['/x/docs/a.md', '/x/docs/b.md'],
    ['a.md', 'b.md'],
  ],
  [
    ['/x/docs/a.md', '/x/b/n.md'],
    ['docs/a.md', 'b/n.md'],
  ],
  [
    ['/x/docs/a.md', '/x/docs/more/deep/a.md'],
    ['a.md', 'more/deep/a.md'],
  ],
  [
    ['/a/n.md', '/b/n.md'],
    ['a/n.md', 'b/n.md'],
  ],
  // A name that begins like a folder is no part of its path.
  [
    ['/x/ab/n.md', '/x/a/n.md'],
    ['ab/n.md', 'a/n.md'],
  ],
  [
    ['C:\\x\\docs\\a.md', 'C:\\x\\b\\n.md'],
    ['docs/a.md', 'b/n.md'],
  ],
  [
    ['C:\\a.md', 'D:\\a.md'],
    ['C:/a.md', 'D:/a.md'],
  ],
  [[], []],
])('%j have the ids %j', (paths, ids) => {
  expect(idsOfFiles(paths)).toEqual(ids);
});
