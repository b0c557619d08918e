import { once } from 'node:events';
import { basename } from 'node:path';
import {
  type AnnotationItem,
  annotationItems,
  annotatorSchema,
  BadRecordsError,
  decisionsOf,
  drawItems,
  itemsOf,
  type Label,
  labelSheet,
  labelsOfSheet,
  questionItemsOf,
  readJudgedRecords,
} from '../../lab/index.ts';
import { counted } from '../../text/index.ts';
import { one, UsageError } from '../command.node.ts';
import { SAMPLE_FLAGS } from '../flags.ts';
import { readTextFiles } from '../read-files.node.ts';
import { serveAnnotation } from './annotation-app.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { openLabelFile } from './label-files.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeWhole } from './set-file.node.ts';

export const annotateCommand = benchmarkCommand({
  summary: 'Open a page where people label a set.',
  usage: 'FILE --out LABELS.jsonl --annotator NAME',
  flags: {
    out: { type: 'string', value: 'LABELS.jsonl', about: 'file to add the labels to' },
    annotator: { type: 'string', value: 'NAME', about: 'who labels; the same name again goes on where it stopped' },
    questions: { type: 'boolean', about: 'questions and intents, instead of key points and nuggets' },
    ...SAMPLE_FLAGS,
    export: { type: 'string', value: 'SHEET.csv', about: 'write a sheet to label in a spreadsheet, and open no page' },
    import: { type: 'string', value: 'SHEET.csv', about: 'add the answers of such a sheet, and open no page' },
    port: { type: 'string', value: 'N', about: 'port of the page; by default a free one' },
  },
  examples: ['tessera benchmark annotate set.json --out labels.jsonl --annotator ada'],
  takes: one('a benchmark set, or a file of records with a task'),
  async run(values, [path], _service, { stdout, stderr }, signal) {
    if (values.out === undefined) throw new UsageError('Say where the labels go: --out LABELS.jsonl.');
    const annotator = annotatorOf(values.annotator);
    const sample = wholeNumber('--sample', values.sample, Number.POSITIVE_INFINITY);
    const seed = wholeNumber('--seed', values.seed, 1, 0);
    const port = wholeNumber('--port', values.port, 0, 0);
    if (port > 65_535) throw new UsageError(`--port is at most 65535, not "${values.port}".`);
    const { set, items: found, unplaced } = annotated(path, values.questions === true);
    if (found.length === 0) {
      throw new UsageError(
        `${path} has nothing to judge: no key point or nugget with spans, and no insight with passages.`,
      );
    }
    const items = drawItems(found, sample, seed);
    const file = openLabelFile(values.out);
    try {
      if (values.import !== undefined) {
        const by = { annotator, at: new Date().toISOString() };
        const { labels, problems } = labelsOfSheet(readTextFiles([values.import])[0], found, by);
        if (problems.length > 0) throw new BadRecordsError(problems, 'imported');
        for (const label of labels) file.add(label);
        stderr.write(`${labels.length} answers added. ${progressOf(annotator, file.labels(), items)}\n`);
      }
      if (values.export !== undefined) {
        const own = decisionsOf(file.labels().filter((label) => label.annotator === annotator));
        writeWhole(values.export, labelSheet(items, own));
      }
      if (values.export !== undefined || values.import !== undefined) return 0;
      const served = await serveAnnotation({ set, items, annotator, file }, port);
      const notes = [
        `${items.length} of ${counted(found.length, 'item')} of "${set}".`,
        unplaced > 0 && `Key points left out, as no words are known that state them: ${unplaced}`,
        ...file.torn,
        progressOf(annotator, file.labels(), items),
        'Open this address; Ctrl-C ends.',
      ];
      stderr.write(`${notes.filter((note) => note !== false).join('\n')}\n`);
      stdout.write(`${served.url}\n`);
      if (!signal.aborted) await once(signal, 'abort');
      await served.close();
      stderr.write(`${progressOf(annotator, file.labels(), items)}\n`);
    } finally {
      file.close();
    }
    return 0;
  },
});

function annotated(path: string, ofQuestions: boolean): ReturnType<typeof itemsOf> & { readonly set: string } {
  const records = readJudgedRecords(readTextFiles([path])[0], 'shown');
  if (records !== null && ofQuestions) throw new UsageError('--questions needs a benchmark set.');
  if (records !== null) return { set: basename(path), items: records.flatMap(annotationItems), unplaced: 0 };
  const set = readSet(path);
  return { set: set.name, ...(ofQuestions ? { items: questionItemsOf(set), unplaced: 0 } : itemsOf(set)) };
}

function annotatorOf(name: string | undefined): string {
  if (name === undefined) throw new UsageError('Say who labels: --annotator NAME.');
  const read = annotatorSchema.safeParse(name);
  if (!read.success) throw new UsageError('--annotator is a name of at most 100 characters, none of them for control.');
  return read.data;
}

function progressOf(annotator: string, labels: readonly Label[], items: readonly AnnotationItem[]): string {
  const asked = new Set(items.flatMap(({ id, fields }) => fields.map((field) => `${field} ${id}`)));
  const own = decisionsOf(labels.filter((label) => label.annotator === annotator));
  return `${annotator}: ${own.filter(({ item, field }) => asked.has(`${field} ${item}`)).length} of ${counted(asked.size, 'answer')}`;
}
