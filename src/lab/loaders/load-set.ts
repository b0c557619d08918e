import { invalidBody } from '../../server/index.ts';
import { groupBy, titleOf } from '../../text/index.ts';
import { type BenchmarkSet, benchmarkSetSchema } from '../benchmark-set.ts';
import {
  BadRecordsError,
  type CheckedRecords,
  checkRecords,
  oneRecord,
  type Placed,
  type RecordProblem,
  type TextFile,
} from '../check-records.ts';
import { tally } from '../makers/asked-model.ts';
import { type Loaded, PUBLISHED } from './formats.ts';

export const FORMATS = ['set', 'documents', 'summhay', 'diversesumm', 'haystack', 'meetings'] as const;
export type FormatName = (typeof FORMATS)[number];

/** Raise it if the rules of a format change. */
const VERSION = 5;

/**
 * Loads a benchmark set from files. `made` begins with the loading step, unless the file is a set.
 * @param name by default the set's own, or that of the only file, or of the format
 * @param intents of a set of documents
 * @throws BadRecordsError with every problem
 */
export function loadSet(
  format: FormatName,
  files: readonly TextFile[],
  name?: string,
  intents: readonly string[] = [],
): BenchmarkSet {
  if (format === 'set')
    return { ...oneRecord(files, benchmarkSetSchema, 'loaded'), ...(name !== undefined && { name }) };
  const { counts, count } = tally();
  const { placed, problems } =
    format === 'documents' ? readDocuments(files, intents) : readPublished(format, files, count);
  const set: BenchmarkSet = {
    name: name ?? (files.length === 1 ? stemOf(files[0].path) : format),
    collections: placed.map(({ record }) => record.collection),
    cases: placed.flatMap(({ record }) => record.cases),
    made: [
      {
        ...{ step: 'load', version: VERSION, seed: 0, model: null, prompts: {} },
        ...{ options: { format }, counts: counts() },
      },
    ],
  };
  // Report problems of records first: they cause those of the set.
  const all = problems.length > 0 ? problems : setProblems(set, placed);
  if (all.length > 0) throw new BadRecordsError(all, 'loaded');
  return set;
}

function readPublished(
  format: keyof typeof PUBLISHED,
  files: readonly TextFile[],
  count: ReturnType<typeof tally>['count'],
): CheckedRecords<Loaded> {
  const read = files.map((file) => {
    const { placed, problems } = checkRecords([file], PUBLISHED[format]);
    const stem = stemOf(file.path);
    const loaded = placed.map(({ where, record }, index) => ({
      ...{ where, record: record(placed.length === 1 ? stem : `${stem}-${index + 1}`, count) },
    }));
    return { loaded, problems };
  });
  return { placed: read.flatMap(({ loaded }) => loaded), problems: read.flatMap(({ problems }) => problems) };
}

/** One collection; a file's name is its id, its path if others have that name. */
function readDocuments(files: readonly TextFile[], intents: readonly string[]): CheckedRecords<Loaded> {
  const named = groupBy(files, ({ path }) => nameOf(path));
  const documents = files.map(({ path, text }) => {
    const name = nameOf(path);
    return { id: (named.get(name) ?? []).length > 1 ? path : name, title: titleOf(path, text), text };
  });
  const blank = files.filter(({ text }) => text.trim() === '');
  const collection = 'documents';
  const asked = intents.map((intent, index) => ({ id: `${collection}/${index + 1}`, collection, intent }));
  const cases = asked.length === 0 ? [{ id: collection, collection }] : asked;
  return {
    placed: [{ where: 'the files together', record: { collection: { id: collection, documents }, cases } }],
    problems: blank.map(({ path }) => ({ where: path, pointer: '/text', detail: 'holds no text' })),
  };
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

function stemOf(path: string): string {
  return nameOf(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** What is wrong with a set, at the records that it comes from. */
function setProblems(set: BenchmarkSet, placed: readonly Placed<Loaded>[]): RecordProblem[] {
  const { error } = benchmarkSetSchema.safeParse(set);
  if (error === undefined) return [];
  const origins: Readonly<Record<string, readonly string[]>> = {
    collections: placed.map(({ where }) => where),
    cases: placed.flatMap(({ where, record }) => record.cases.map(() => where)),
  };
  return (invalidBody(error).errors ?? []).map(({ pointer, detail }) => {
    const [, part, index] = pointer.split('/');
    const where = origins[part]?.[Number(index)] ?? 'the set';
    return { where, pointer: '', detail: `would give ${pointer} of a set, which ${detail}` };
  });
}
