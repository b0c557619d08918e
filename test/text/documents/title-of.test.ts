import { expect, test } from 'vitest';
import { titleOf } from '../../../src/text/index.ts';

test.each([
  ['notes/tea.md', 'Preface\n\n#  On tea \n# More', 'On tea'],
  ['notes/tea.md', '## Not this\n#nor this', 'tea.md'],
  ['notes\\tea.txt', 'Tea.', 'tea.txt'],
  ['tea.txt', `# ${'long '.repeat(300)}`, 'tea.txt'],
  ['tea.txt', `${' '.repeat(2000)}\n# Late`, 'tea.txt'],
])('%s', (path, text, title) => {
  expect(titleOf(path, text)).toBe(title);
});
