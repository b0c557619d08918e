import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reviewCommand } from '../../../src/cli/benchmark/review.node.ts';
import { type BenchmarkSet, benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { itemsOf } from '../../../src/lab/people/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const [A, B] = ['The bridge opened in 1987.', 'A toll is paid. The bridge was opened in 1987 by the king.'];
const SET: BenchmarkSet = {
  name: 'bridge',
  collections: [
    {
      id: 's',
      documents: [
        { id: 'a', text: A },
        { id: 'b', text: B },
      ],
    },
  ],
  cases: [
    {
      id: 's/1',
      collection: 's',
      intent: 'What of the bridge?',
      nuggets: [
        {
          ...{ id: 'n4', question: 'When did it open?' },
          answers: [{ text: '1987', documents: ['a'], spans: [{ document: 'a', start: 0, end: A.length }] }],
        },
      ],
    },
  ],
  made: [],
};

async function review(additions: readonly object[], labels: readonly object[] = []) {
  const folder = temporaryFolder();
  const file = (name: string, values: readonly object[]) => {
    writeFileSync(join(folder, name), values.map((each) => JSON.stringify(each)).join('\n'));
    return join(folder, name);
  };
  const out = join(folder, 'out.json');
  const args = [
    file('set.json', [SET]),
    ...(labels.length > 0 ? [file('labels.jsonl', labels)] : []),
    ...(additions.length > 0 ? ['--add', file('additions.jsonl', additions)] : []),
    ...['--out', out],
  ];
  const outcome = await runCommand(reviewCommand, args);
  return { ...outcome, set: benchmarkSetSchema.parse(JSON.parse(readFileSync(out, 'utf8'))) };
}

const BOUND = {
  case: 's/1',
  question: 'When did it open?',
  answer: '1987',
  document: 'b',
  quote: 'The bridge was opened in 1987',
};
const NEW = { case: 's/1', question: 'Who opened it?', importance: 'okay', document: 'b', answer: 'the king' };

test('people add a document to an answer, an answer, a nugget and an absence', async () => {
  const { set, stderr } = await review([
    BOUND,
    BOUND,
    { ...BOUND, answer: 'by the king', quote: 'by the king' },
    { ...NEW, quote: 'opened in 1987 by the king' },
    { ...NEW, answer: 'a king', quote: 'by the king' },
    { case: 's/1', question: 'What did it cost?' },
  ]);
  const [[start, end], king] = [[16, 45], B.indexOf('by the king')];
  expect(set.cases[0].nuggets).toMatchObject([
    {
      id: 'n4',
      answers: [
        { text: '1987', documents: ['a', 'b'], spans: [{ document: 'a' }, { document: 'b', start, end }] },
        { text: 'by the king', documents: ['b'], spans: [{ document: 'b', start: king }] },
      ],
    },
    { id: 'n5', question: 'Who opened it?', importance: 'okay', answers: [{ text: 'the king' }, { text: 'a king' }] },
    { id: 'n6', question: 'What did it cost?', importance: 'vital' },
  ]);
  expect(set.cases[0].nuggets?.[2].answers).toBeUndefined();
  expect(stderr).toBe('added documents: 1\nadded answers: 3\nadded nuggets: 2\n');
  expect(set.made).toMatchObject([{ step: 'review', counts: { addedDocuments: 1, addedAnswers: 3, reviewed: 0 } }]);
  // Others judge what was added, as all else.
  expect(itemsOf(set).items.map(({ document, statement }) => [document.id, statement])).toContainEqual([
    'b',
    'When did it open? – 1987',
  ]);
});

test('labels of the same review still apply to what was there', async () => {
  const [{ id: item }] = itemsOf(SET).items;
  const label = { item, annotator: 'ada', field: 'attested', value: 'no', at: '2026-01-01T00:00:00Z' };
  const { set } = await review([BOUND], [label]);
  expect(set.cases[0].nuggets).toMatchObject([{ id: 'n4', answers: [{ text: '1987', documents: ['b'] }] }]);
});

test('what cannot be added is named by its line', async () => {
  const wrong: [object, string][] = [
    [{ ...BOUND, case: 's/2' }, '/case is not the id of one of the cases'],
    [{ ...BOUND, document: 'c' }, '/document is not the id of one of the documents'],
    [{ ...BOUND, quote: 'It was opened in 1999' }, '/quote does not stand in the document'],
    [{ ...BOUND, quote: undefined }, 'must have all of "answer", "document" and "quote", or none'],
    [{ case: 's/1', question: 'Why?', quote: 'A toll' }, 'must have all of "answer", "document" and "quote", or none'],
  ];
  for (const [line, detail] of wrong) {
    const failed = review([{ case: 's/1', question: 'What did it cost?' }, line]);
    await expect(failed).rejects.toThrow('additions.jsonl line 2');
    await expect(failed).rejects.toThrow(detail);
  }
  await expect(review([])).rejects.toThrow('a file of labels behind it or one of additions (--add)');
});
