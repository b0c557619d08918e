import { invalidBody } from '../../server/index.ts';
import { titleOf } from '../../text/index.ts';
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
  /** Resolves a path for ids; by default paths are absolute already. */
  readonly absolute?: ((path: string) => string) | undefined;
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
  const { placed, problems } = format === 'documents' ? readDocuments(files, options) : readPublished(format, files);
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

/** Files without text are left out, unless none has any. */
function readDocuments(
  files: readonly TextFile[],
  { intents = [], absolute = (path) => path }: LoadOptions,
): CheckedRecords<Loaded> {
  const told = files.filter((file) => !isBlank(file));
  const kept = told.length > 0 ? told : files;
  const ids = idsOfFiles(kept.map(({ path }) => absolute(path)));
  const problems = kept.flatMap(({ path, ...file }, place): RecordProblem[] => {
    const first = ids.indexOf(ids[place]);
    const detail = `gets the id "${ids[place]}", as ${kept[first].path} does`;
    const twice = first === place ? [] : [{ where: path, pointer: '', detail }];
    return isBlank(file) ? [{ where: path, pointer: '/text', detail: 'holds no text' }, ...twice] : twice;
  });
  const collection = 'documents';
  const documents = kept.map(({ path, text }, place) => ({ id: ids[place], title: titleOf(path, text), text }));
  const asked = intents.map((intent, index) => ({ id: `${collection}/${index + 1}`, collection, intent }));
  const record = {
    collection: { id: collection, documents },
    cases: asked.length === 0 ? [{ id: collection, collection }] : asked,
    counts: { emptyDocuments: files.length - kept.length },
  };
  return { placed: [{ where: 'the files together', record }], problems };
}

export function isBlank({ text }: Pick<TextFile, 'text'>): boolean {
  return text.trim() === '';
}

/**
 * Ids of files: paths below their deepest common folder, with `/`, so that they do not depend on its location.
 * @param paths absolute or relative to one folder, without `.` and `..`; of any platform
 */
export function idsOfFiles(paths: readonly string[]): string[] {
  const parted = paths.map((path) => path.split(/[\\/]+/));
  const [first = [], ...others] = parted.map((parts) => parts.slice(0, -1));
  const differs = first.findIndex((part, depth) => others.some((other) => other[depth] !== part));
  const shared = differs === -1 ? first.length : differs;
  return parted.map((parts) => parts.slice(shared).join('/'));
}

function stemOf(path: string): string {
  const file = path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
  return file.replace(/(?<=.)\.[^.]*$/, '');
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
