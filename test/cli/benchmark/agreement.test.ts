import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agreementCommand } from '../../../src/cli/benchmark/agreement.node.ts';
import { itemsOf, questionItemsOf } from '../../../src/lab/people/items.ts';
import { SAMPLE_SET } from '../../l../../lab/people/sample-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const at = '2026-01-01T00:00:00.000Z';
const { items } = itemsOf(SAMPLE_SET);

/** A line for each answer to the items in order. */
function lines(annotator: string, field: string, values: readonly string[], ids = items.map(({ id }) => id)): string[] {
  return values.map((value, index) => JSON.stringify({ item: ids[index], annotator, field, value, at }));
}

/** Files in a folder of their own. */
function files(contents: Readonly<Record<string, string | readonly string[]>>) {
  const folder = temporaryFolder();
  return Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : `${content.join('\n')}\n`);
    return path;
  });
}

test('prints agreement per question and pair, and the correlation with what the model thought', async () => {
  const [set, ada, others] = files({
    'set.json': JSON.stringify(SAMPLE_SET, null, 1),
    'ada.jsonl': [
      ...lines('ada', 'stated', ['yes', 'yes', 'no', 'yes', 'yes']),
      ...lines('ada', 'helps', ['agree', 'agree', 'disagree']),
    ],
    'others.jsonl': [
      ...lines('bob', 'stated', ['no', 'yes', 'no', 'yes', 'no']),
      ...lines('bob', 'helps', ['agree', 'neutral', 'neutral']),
      ...lines('bob', 'stated', ['yes']),
      ...lines('eve', 'stated', ['yes'], ['unknown']),
    ],
  });
  const { code, stdout, stderr } = await runCommand(agreementCommand, [set, ada, others]);
  expect(code).toBe(0);
  expect(stderr).toBe(`Labels left out, as ${set} has no such items: 1\n`);
  expect(stdout).toContain('labels: 10; items: 5; annotators: 2 (ada, bob)');
  // P_o = 0.8; P_e = 0.8 x 0.6 + 0.2 x 0.4 = 0.56; free-marginal (0.8 - 0.5) / 0.5; alpha 1 - 0.2 / (2 x 3 x 7 / 90).
  expect(stdout).toMatch(
    /^raters +items +agreement +Cohen's kappa +free-marginal kappa +Krippendorff's alpha\nall +5 +0\.800\* .* +0\.600\*.* 0\.571\*/m,
  );
  expect(stdout).toMatch(/ada \/ bob +5 +0\.800\* \[.*\] +0\.545\*/);
  expect(stdout).toMatch(/counts of ada \/ bob, the first in rows\nanswer +no +yes\nno +1 +0\nyes +1 +3\n/);
  expect(stdout).toMatch(/mean level \/ usefulness +3 +0\.9\d\d\* +1\.000\*/);
  expect(stdout).toContain('95% intervals by drawing cases');

  const [html, csv] = ['html', 'csv'].map((ending) => `${set}.${ending}`);
  const written = await runCommand(agreementCommand, [set, ada, others, '--json', '--html', html, '--csv', csv]);
  expect(readFileSync(html, 'utf8')).toContain('<h1>Agreement</h1>');
  // Unrounded, with its note.
  expect(readFileSync(csv, 'utf8')).toMatch(/^stated,.*,ada \/ bob,Cohen's kappa,0\.545\d+,.*,5,fewer than 20$/ms);
  const json = JSON.parse(written.stdout);
  const [stated, helps] = json.fields;
  expect([stated.field, stated.items, stated.annotators]).toEqual(['stated', 5, ['ada', 'bob']]);
  expect(stated.rows[1].figures.kappa.value).toBeCloseTo((0.8 - 0.56) / 0.44, 12);
  expect(helps.rows).toHaveLength(3);
});

test('a line that was cut short is told; whatever else is no label is named, and nothing is counted', async () => {
  const good = lines('ada', 'stated', ['yes', 'no']);
  const [torn, bad, empty, set] = files({
    'torn.jsonl': `${good.join('\n')}\n${good[0].slice(0, 40)}`,
    'bad.jsonl': [
      good[0],
      'no json',
      JSON.stringify({ item: 'a', annotator: 'ada', field: 'stated', value: 'agree', at }),
      JSON.stringify({ item: 'a', annotator: 'ada', field: 'liked', value: 'yes', at: 'now' }),
    ],
    'empty.jsonl': '',
    'set.json': JSON.stringify(SAMPLE_SET),
  });
  const told = await runCommand(agreementCommand, [set, torn]);
  expect(told.stderr).toBe(`${torn} line 3 was cut short when it was written, and is left out.\n`);
  expect(told.stdout).toContain('labels: 2; items: 2; annotators: 1 (ada)');
  const failed = await runCommand(agreementCommand, [set, torn, bad]).catch(String);
  expect(failed).toContain('Nothing was counted, as 3 places are wrong');
  expect(failed).toContain(`${bad} line 2: is not valid JSON`);
  expect(failed).toContain(`${bad} line 3: /value must be no or yes`);
  expect(failed).toContain(`${bad} line 4: /field`);
  expect(failed).toContain(`${bad} line 4: /at`);
  await expect(runCommand(agreementCommand, [set, empty])).rejects.toThrow(/empty\.jsonl: holds no records/);
  await expect(runCommand(agreementCommand, [])).rejects.toThrow(/Name a set, or records/);
  await expect(runCommand(agreementCommand, [set])).rejects.toThrow(/files of labels behind it/);
  await expect(runCommand(agreementCommand, [set, `${set}.none`])).rejects.toThrow(/cannot be read/);
});

test('ratings of intents and verdicts on questions are told with their counts and their mean', async () => {
  const asked = { question: 'When did it open?', answer: 'In May.', document: 'tram', position: 0 };
  const set = { ...SAMPLE_SET, collections: [{ ...SAMPLE_SET.collections[0], questions: [asked] }] };
  const [question, intent] = questionItemsOf(set).map(({ id }) => id);
  const [path, labels] = files({
    'set.json': JSON.stringify(set),
    'labels.jsonl': [
      ...lines('ada', 'answerable', ['yes'], [question]),
      ...lines('bob', 'answerable', ['no'], [question]),
      ...lines('ada', 'rating', ['5'], [intent]),
      ...lines('bob', 'rating', ['4'], [intent]),
    ],
  });
  const { code, stdout, stderr } = await runCommand(agreementCommand, [path, labels]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('answers: no 1, yes 1\n');
  expect(stdout).toContain('answers: 1 0, 2 0, 3 0, 4 1, 5 1; mean level of 5: 4.50*\n');
});
