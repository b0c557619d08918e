import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadPrompts } from '../../../src/models/index.node.ts';
import { PromptFormatError } from '../../../src/models/language/prompt.ts';
import { readConfiguration } from '../../../src/server/runtime/configuration.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SHIPPED = readFileSync(new URL('../../../prompts/judge-coverage.md', import.meta.url), 'utf8');

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('a folder replaces prompts by their ids, whatever its files are called, and leaves the others', () => {
  const own = SHIPPED.replace('# User', 'Be strict.\n# User');
  const prompts = loadPrompts(folderWith({ 'mine.md': own, 'notes.txt': 'not a prompt' }));
  expect([...prompts.keys()].sort()).toEqual([...PROMPTS.keys()].sort());
  for (const [id, prompt] of prompts) {
    if (id !== 'judge-coverage') expect(prompt).toEqual(PROMPTS.get(id));
  }
  expect(prompts.get('judge-coverage')?.system).toContain('Be strict.');
  expect(prompts.get('judge-coverage')?.hash).not.toBe(PROMPTS.get('judge-coverage')?.hash);
  // The same words are the same prompt.
  expect(loadPrompts(folderWith({ 'a.md': SHIPPED }))).toEqual(PROMPTS);
  expect(loadPrompts(folderWith({}))).toEqual(PROMPTS);
  expect(readConfiguration({ TESSERA_PROMPTS: '/own' }).prompts).toBe('/own');
});

test.each([
  ['an id of nobody', SHIPPED.replace('id: judge-coverage', 'id: judge-nobody'), 'there is no prompt "judge-nobody"'],
  [
    'another stage',
    SHIPPED.replace('stage: judge-coverage', 'stage: write'),
    'the stage of "judge-coverage" is "judge-coverage"',
  ],
  [
    'a variable that is not given',
    SHIPPED.replace('variables: [', 'variables: [mood, ').replace('# User', '# User\n{{mood}}'),
    '"judge-coverage" is given no mood',
  ],
  ['no front matter', 'Judge.', ''],
])('%s is refused, with the name of the file', (_, text, detail) => {
  const folder = folderWith({ 'own.md': text });
  const load = () => loadPrompts(folder);
  expect(load).toThrow(PromptFormatError);
  expect(load).toThrow(`${join(folder, 'own.md')}: ${detail}`);
});

test('a folder that is none is refused, and a folder in it told apart from a prompt', () => {
  expect(() => loadPrompts('/no/such/folder')).toThrow(PromptFormatError);
  expect(() => loadPrompts('/no/such/folder')).toThrow('/no/such/folder cannot be read');
  const folder = folderWith({});
  mkdirSync(join(folder, 'old.md'));
  expect(() => loadPrompts(folder)).toThrow();
});

test('the example judges coverage by nine examples, three of each level, in the form that is asked for', () => {
  const prompts = loadPrompts(fileURLToPath(new URL('../../../examples/prompts', import.meta.url)));
  const { system = '', user, variables } = prompts.get('judge-coverage') ?? {};
  expect(prompts.get('judge-coverage')?.hash).not.toBe(PROMPTS.get('judge-coverage')?.hash);
  expect(variables).toEqual(expect.arrayContaining(['insight', 'bullets']));
  const examples = [...system.matchAll(/^Example of (\w+)\nInsight: .+\n((?:Bullet \d+: .+\n)+)Answer: (.+)$/gm)];
  const answers = examples.map(([, level, bullets, answer]) => {
    const { coverage, bullet } = JSON.parse(answer);
    expect(coverage).toBe(level);
    if (level === 'NO') expect(bullet).toBeNull();
    else expect(bullets).toContain(`Bullet ${bullet}:`);
    return level;
  });
  expect(answers.sort().join()).toBe('FULL,FULL,FULL,NO,NO,NO,PARTIAL,PARTIAL,PARTIAL');
  expect(user).toContain('{{insight}}');
});
