import { invalidBody } from '../../server/index.ts';
import { groupBy, titleOf } from '../../text/index.ts';
import { type BenchmarkSet, benchmarkSetSchema, type Making } from '../benchmark-set.ts';
import {
  BadRecordsError,
  type CheckedRecords,
  checkRecords,
  oneRecord,
  type Placed,
  type RecordProblem,
  type TextFile,
} from '../check-records.ts';
import { summed } from '../makers/maker.ts';
import { type Loaded, PUBLISHED } from './formats.ts';

interface LoadOptions {
  readonly intents?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

export const FORMATS = ['set', 'documents', 'summhay', 'diversesumm', 'long2rag', 'haystack', 'meetings'] as const;
export type FormatName = (typeof FORMATS)[number];

/**
 * Loads a benchmark set from files. `made` begins with the loading step, unless the file is a set.
 * @param name by default the set's own, or that of the only file, or of the format
 * @throws BadRecordsError with every problem
 */
export function loadSet(
  format: FormatName,
  files: readonly TextFile[],
  name?: string,
  options: LoadOptions = {},
): BenchmarkSet {
  const { limit } = options;
  if (format === 'set') {
    const own = { ...oneRecord(files, benchmarkSetSchema, 'loaded'), ...(name !== undefined && { name }) };
    if (limit === undefined) return own;
    const first = firstCases(own, limit);
    return { ...first, made: [...own.made, making(format, limit, first, {})] };
  }
  const { placed, problems } =
    format === 'documents' ? readDocuments(files, options.intents ?? []) : readPublished(format, files);
  const whole: BenchmarkSet = {
    name: name ?? (files.length === 1 ? stemOf(files[0].path) : format),
    collections: placed.map(({ record }) => record.collection),
    cases: placed.flatMap(({ record }) => record.cases),
    made: [],
  };
  // Report problems of records first: they cause those of the set.
  const all = problems.length > 0 ? problems : setProblems(whole, placed);
  if (all.length > 0) throw new BadRecordsError(all, 'loaded');
  const set = limit === undefined ? whole : firstCases(whole, limit);
  const own = placed.filter(({ record }) => set.collections.includes(record.collection));
  return { ...set, made: [making(format, limit, set, summed(own.map(({ record }) => record.counts)))] };
}

function firstCases(set: BenchmarkSet, most: number): BenchmarkSet {
  const cases = set.cases.slice(0, most);
  const asked = new Set(cases.map(({ collection }) => collection));
  return { ...set, collections: set.collections.filter(({ id }) => asked.has(id)), cases };
}

function readPublished(format: keyof typeof PUBLISHED, files: readonly TextFile[]): CheckedRecords<Loaded> {
  const read = files.map((file) => {
    const { placed, problems } = checkRecords([file], PUBLISHED[format]);
    const stem = stemOf(file.path);
    const loaded = placed.map(({ where, record }, index) => ({
      ...{ where, record: record(placed.length === 1 ? stem : `${stem}-${index + 1}`) },
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
    placed: [{ where: 'the files together', record: { collection: { id: collection, documents }, cases, counts: {} } }],
    problems: blank.map(({ path }) => ({ where: path, pointer: '/text', detail: 'holds no text' })),
  };
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

function stemOf(path: string): string {
  return nameOf(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** Raise it if the rules of a format change. */
const VERSION = 4;

function making(
  format: FormatName,
  limit: number | undefined,
  { collections, cases }: BenchmarkSet,
  counts: Readonly<Record<string, number>>,
): Making {
  const documents = collections.reduce((sum, collection) => sum + collection.documents.length, 0);
  return {
    ...{ step: 'load', version: VERSION, seed: 0, model: null, prompts: {} },
    options: { format, limit: limit ?? null },
    counts: { collections: collections.length, documents, cases: cases.length, ...counts },
  };
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
