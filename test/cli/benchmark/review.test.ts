import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reviewCommand } from '../../../src/cli/benchmark/review.node.ts';
import { type BenchmarkSet, benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { reviewSet } from '../../../src/lab/makers/review-set.ts';
import { itemsOf } from '../../../src/lab/people/items.ts';
import type { Decision } from '../../../src/lab/people/labels.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const TEXT = 'The bridge opened in 1987.';
const SET: BenchmarkSet = {
  name: 'bridge',
  collections: [{ id: 's', documents: ['a', 'b'].map((id) => ({ id, text: TEXT })) }],
  cases: [
    {
      ...{ id: 's/1', collection: 's', intent: 'What of the bridge?' },
      nuggets: [
        {
          ...{ id: 'n1', question: 'When did it open?' },
          answers: [
            {
              ...{ text: '1987', documents: ['a', 'b'] },
              spans: ['a', 'b'].map((document) => ({ document, start: 0, end: TEXT.length })),
            },
          ],
        },
        // An absence: the documents do not say.
        { id: 'n2', question: 'What did it cost?' },
      ],
    },
  ],
  made: [],
};

test('labels take documents off answers; a nugget without answers stays', async () => {
  const [folder, [{ id: item }]] = [temporaryFolder(), itemsOf(SET).items];
  const [set, labels, out] = ['set.json', 'labels.jsonl', 'out.json'].map((name) => join(folder, name));
  writeFileSync(set, JSON.stringify(SET));
  const label = { item, annotator: 'ada', field: 'attested', value: 'no', at: '2026-01-01T00:00:00Z' };
  writeFileSync(labels, JSON.stringify(label));
  const { stderr } = await runCommand(reviewCommand, [set, labels, '--out', out]);
  const reviewed = benchmarkSetSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
  expect(reviewed.cases[0].nuggets).toMatchObject([
    { id: 'n1', answers: [{ text: '1987', documents: ['b'] }] },
    { id: 'n2' },
  ]);
  expect(reviewed.made).toMatchObject([
    { step: 'review', counts: { reviewed: 1, unbound: 1 }, options: { annotators: 1 } },
  ]);
  expect(stderr).toBe('reviewed: 1\nunbound: 1\n');
  await expect(runCommand(reviewCommand, [set])).rejects.toThrow('a file of labels behind it');
  writeFileSync(labels, JSON.stringify({ ...label, item: 'another' }));
  await expect(runCommand(reviewCommand, [set, labels])).rejects.toThrow(
    'No label is of a key point or a nugget of this set.',
  );
});

test('key points lose passages that most people say do not state them, and go without passages or of no help', () => {
  const spans = ['a', 'b'].map((document) => ({ document, start: 0, end: TEXT.length }));
  const keyPoints = ['P', 'Q', 'R', 'S', 'T'].map((text) => ({ text, spans }));
  const set: BenchmarkSet = {
    ...SET,
    cases: [{ ...SET.cases[0], nuggets: undefined, keyPoints: [...keyPoints, { text: 'U' }] }],
  };
  const { items } = itemsOf(set);
  const by = (text: string, document: string, field: Decision['field'], ...values: readonly Decision['value'][]) =>
    values.map((value, n): Decision => {
      const { id } = items.find((each) => each.statement === text && each.document.id === document) ?? { id: '' };
      return { item: id, annotator: `annotator ${n}`, field, value, at: '2026-01-01T00:00:00Z' };
    });
  const { set: reviewed, counts } = reviewSet(set, [
    ...by('P', 'a', 'stated', 'no', 'no', 'yes'),
    ...by('Q', 'a', 'stated', 'no', 'yes'),
    ...[...by('R', 'a', 'stated', 'no'), ...by('R', 'b', 'stated', 'no')],
    // What is judged beside each of its documents is judged of the key point.
    ...[...by('S', 'a', 'helps', 'disagree', 'neutral'), ...by('S', 'b', 'helps', 'disagree', 'disagree')],
    ...by('T', 'a', 'helps', 'disagree', 'agree', 'neutral'),
  ]);
  const left = reviewed.cases[0].keyPoints?.map(
    (point) => `${point.text} ${point.spans?.map(({ document }) => document)}`,
  );
  expect(left).toEqual(['P b', 'Q a,b', 'T a,b', 'U undefined']);
  expect(counts).toEqual({ reviewedPoints: 5, droppedPoints: 2 });
  expect(reviewSet(set, []).set.cases[0].keyPoints).toEqual(set.cases[0].keyPoints);
});
