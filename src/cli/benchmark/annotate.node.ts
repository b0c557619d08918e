import { basename } from 'node:path';
import {
  type AnnotationItem,
  annotationItems,
  annotatorSchema,
  decisionsOf,
  drawItems,
  FIELDS,
  type Field,
  fieldsOf,
  itemsOf,
  type Label,
  questionItemsOf,
  readJudgedRecords,
} from '../../lab/index.ts';
import { one, UsageError } from '../command.node.ts';
import { SAMPLE_FLAGS } from '../flags.ts';
import { readTextFiles } from '../read-files.node.ts';
import { serveAnnotation } from './annotation-app.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { openLabelFile, tornNote } from './label-files.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { readSet } from './set-file.node.ts';

const SCALE_FLAG: Readonly<Record<string, readonly Field[]>> = {
  'yes-no': ['stated', 'attested', 'answerable', 'correct', 'entailed', 'reported'],
  agree: ['helps', 'importance', 'outcome', 'rating'],
};
const LAST_PORT = 65_535;

export const annotateCommand = benchmarkCommand({
  summary: 'Open a page where people label a set.',
  usage: 'FILE --out LABELS.jsonl',
  flags: {
    out: { type: 'string', value: 'LABELS.jsonl', about: 'file to add the labels to' },
    annotator: { type: 'string', value: 'NAME', about: 'who labels; by default the page asks' },
    questions: { type: 'boolean', about: 'questions and intents, instead of key points and nuggets' },
    scale: { type: 'string', value: 'NAME', about: 'yes-no or agree; both by default' },
    ...SAMPLE_FLAGS,
    port: { type: 'string', value: 'N', about: 'port of the page; by default a free one' },
  },
  examples: ['tessera benchmark annotate set.json --out labels.jsonl --annotator ada'],
  takes: one('a benchmark set, or a file of records with a task'),
  async run(values, [path], _service, { stdout, stderr }, signal) {
    if (values.out === undefined) throw new UsageError('Say where the labels go: --out LABELS.jsonl.');
    const asked = askedOf(values.scale);
    const annotator = values.annotator === undefined ? null : annotatorOf(values.annotator);
    const sample = wholeNumber('--sample', values.sample, Number.POSITIVE_INFINITY);
    const seed = wholeNumber('--seed', values.seed, 1, 0);
    const port = wholeNumber('--port', values.port, 0, 0);
    if (port > LAST_PORT) throw new UsageError(`--port is at most ${LAST_PORT}, not "${values.port}".`);
    const { set, items: found, unplaced } = annotated(path, values.questions === true);
    const askable = found.filter((item) => fieldsOf(item, asked).length > 0);
    const items = drawItems(askable, sample, seed);
    if (items.length === 0) throw new UsageError(nothingIn(path, found.length));
    const file = openLabelFile(values.out);
    try {
      const onFailure = (failure: unknown) => {
        stderr.write(`A decision could not be written to ${values.out}: ${String(failure)}\n`);
      };
      const served = await serveAnnotation({ set, items, asked, annotator, file, onFailure }, port);
      const notes = [
        `${items.length} of ${found.length} items of "${set}".`,
        unplaced > 0 && `Key points left out, as no words are known that state them: ${unplaced}`,
        found.length > askable.length && `Items left out, as they have no query: ${found.length - askable.length}`,
        ...file.torn.map(tornNote),
        ...progressOf(file.labels(), items, asked),
        'Open this address; Ctrl-C ends.',
      ];
      stderr.write(`${notes.filter((note) => note !== false).join('\n')}\n`);
      stdout.write(`${served.url}\n`);
      await aborted(signal);
      await served.close();
      for (const line of progressOf(file.labels(), items, asked)) stderr.write(`${line}\n`);
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

function askedOf(scale: string | undefined) {
  if (scale === undefined) return FIELDS;
  if (Object.hasOwn(SCALE_FLAG, scale)) return SCALE_FLAG[scale];
  throw new UsageError(`--scale is ${Object.keys(SCALE_FLAG).join(' or ')}, not "${scale}".`);
}

function annotatorOf(name: string): string {
  const read = annotatorSchema.safeParse(name);
  if (!read.success) throw new UsageError('--annotator is a name of at most 100 characters, none of them for control.');
  return read.data;
}

function nothingIn(path: string, found: number): string {
  if (found > 0) return `No case of ${path} has an intent, so that nobody can say what helps: ask with --scale yes-no.`;
  return `${path} has nothing to judge: no key point or nugget with spans, and no insight with passages.`;
}

function progressOf(labels: readonly Label[], items: readonly AnnotationItem[], asked: readonly Field[]): string[] {
  const open = new Map(items.map((item) => [item.id, fieldsOf(item, asked)]));
  const decisions = decisionsOf(labels);
  const own = decisions.filter(({ item, field }) => open.get(item)?.includes(field));
  const wanted = [...open.values()].reduce((sum, fields) => sum + fields.length, 0);
  const names = [...new Set(own.map(({ annotator }) => annotator))].sort();
  const others = decisions.length - own.length;
  return [
    ...names.map((name) => `${name}: ${own.filter(({ annotator }) => annotator === name).length} of ${wanted} answers`),
    ...(others > 0 ? [`Labels in the file of other items or questions, which stay as they are: ${others}`] : []),
  ];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
