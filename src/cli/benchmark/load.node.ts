import { resolve } from 'node:path';
import {
  type BenchmarkSet,
  checkRecords,
  FORMATS,
  type FormatName,
  isBlank,
  loadSet,
  outputsOf,
  SUMMHAY,
  type TextFile,
} from '../../lab/index.ts';
import { parseFlags, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { writeJson, writeWhole } from './set-file.node.ts';

const FLAGS = {
  name: { type: 'string' },
  out: { type: 'string' },
  limit: { type: 'string' },
  intent: { type: 'string', multiple: true },
  outputs: { type: 'string' },
} as const;

const MAX_NAMED = 20;

export const loadCommand: BenchmarkCommand = {
  summary: 'Make a set of files in a known layout.',
  usage: `FORMAT FILE… [--name NAME] [--out FILE] [--limit CASES]; FORMAT is one of ${FORMATS.join(', ')};
    documents takes [--intent TEXT]…, summhay [--outputs FILE] for the summaries of other systems`,

  examples: [
    'tessera benchmark load summhay topic.json --out set.json',
    'tessera benchmark load documents notes/*.md --intent "What was decided?" --out set.json',
  ],
  async run(args, _service, { stdout, stderr }) {
    const { values, positionals } = parseFlags(args, FLAGS);
    const [given, ...paths] = positionals;
    const format = FORMATS.find((known) => known === given);
    if (format === undefined) throw new UsageError(`The format is one of ${FORMATS.join(', ')}, not "${given ?? ''}".`);
    if (paths.length === 0) throw new UsageError(`Name the files of the format ${format}.`);
    checkFlags(format, values);
    const limit = values.limit === undefined ? undefined : wholeNumber('--limit', values.limit, 1);
    const files = readTextFiles(paths);
    const set = loadSet(format, files, values.name, {
      intents: values.intent,
      limit,
      absolute: (path) => resolve(path),
    });
    if (format === 'documents') stderr.write(leftOut(files));
    if (values.outputs !== undefined) stderr.write(`${writeOutputs(values.outputs, files, set)}\n`);
    writeJson(values.out, set, stdout);
    stderr.write(`${told(set, format)}\n`);
    return 0;
  },
};

function checkFlags(
  format: FormatName,
  {
    intent,
    outputs,
    name,
  }: { readonly [key in 'outputs' | 'name']?: string } & { readonly intent?: readonly string[] },
): void {
  if (intent !== undefined && format !== 'documents') throw new UsageError('--intent is for the format documents.');
  if (intent?.some((each) => each.trim() === '')) throw new UsageError('--intent says nothing.');
  if (outputs !== undefined && format !== 'summhay') throw new UsageError('--outputs is for the format summhay.');
  if (name?.trim() === '') throw new UsageError('--name says nothing.');
}

function writeOutputs(path: string, files: readonly TextFile[], { cases }: BenchmarkSet): string {
  const asked = new Set(cases.map(({ id }) => id));
  const outputs = checkRecords(files, SUMMHAY.schema)
    .placed.flatMap(({ record }) => outputsOf(record))
    .filter((output) => asked.has(output.case));
  if (outputs.length === 0) throw new UsageError('--outputs: the files hold no summaries.');
  writeWhole(path, outputs.map((output) => `${JSON.stringify(output)}\n`).join(''));
  const systems = new Set(outputs.map(({ system }) => system)).size;
  return `benchmark load: ${outputs.length} summaries of ${systems} systems.`;
}

function leftOut(files: readonly TextFile[]): string {
  const blank = files.filter(isBlank).map(({ path }) => path);
  if (blank.length === 0) return '';
  const more = blank.length > MAX_NAMED ? ` and ${blank.length - MAX_NAMED} more` : '';
  return `benchmark load: left out, as they hold no text: ${blank.slice(0, MAX_NAMED).join(', ')}${more}.\n`;
}

function told({ collections, cases, made }: BenchmarkSet, format: FormatName): string {
  const documents = collections.reduce((sum, collection) => sum + collection.documents.length, 0);
  const sizes = `${collections.length} collections, ${documents} documents, ${cases.length} cases`;
  const counts = format === 'set' ? {} : (made[0]?.counts ?? {});
  const notes = Object.entries(counts).flatMap(([what, count]) =>
    count === 0 || ['collections', 'documents', 'cases'].includes(what) ? [] : [`${count} ${what}`],
  );
  return `benchmark load: ${sizes}${notes.length === 0 ? '' : `; ${notes.join(', ')}`}.`;
}
