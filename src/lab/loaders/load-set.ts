import type { ZodType } from 'zod';
import { problemsIn } from '../../contract/index.ts';
import { invalidBody } from '../../server/index.ts';
import { type BenchmarkSet, benchmarkSetSchema, type Making } from '../benchmark-set.ts';
import {
  BadRecordsError,
  type CheckedRecords,
  checkRecords,
  type Placed,
  type RecordProblem,
  type TextFile,
} from '../check-records.ts';
import { diverseSummSchema, loadDiverseSumm } from './diversesumm.ts';
import { documentFileSchema, idsOfFiles, isBlank, loadDocuments } from './documents.ts';
import { haystackSchema, loadHaystack } from './haystack.ts';
import { type Format, firstCases, type Loaded } from './loaded.ts';
import { loadLong2rag, long2ragSchema } from './long2rag.ts';
import { loadMeeting, loadQmsum, meetingSchema, qmsumSchema } from './meetings.ts';
import { loadSummHay, summHaySchema } from './summhay.ts';

interface LoadOptions {
  /** What is asked of plain texts. */
  readonly intents?: readonly string[] | undefined;
  /** The whole path of a file, which its id is made of; by default it is whole already. */
  readonly absolute?: ((path: string) => string) | undefined;
  /** The first cases only, with the collections that they ask. */
  readonly limit?: number | undefined;
}

type Reader = (files: readonly TextFile[], options: LoadOptions) => CheckedRecords<Loaded>;

/** A set is read as it is; all others are made here, record by record. */
const READERS: Readonly<Record<Exclude<Format, 'set'>, Reader>> = {
  documents: readDocuments,
  summhay: readerOf(summHaySchema, loadSummHay),
  diversesumm: readerOf(diverseSummSchema, loadDiverseSumm),
  qmsum: readerOf(qmsumSchema, loadQmsum),
  long2rag: readerOf(long2ragSchema, loadLong2rag),
  haystack: readerOf(haystackSchema, loadHaystack),
  meetings: readerOf(meetingSchema, loadMeeting),
};

/**
 * The benchmark set that files of a format give. What was loaded, and what was left out, is the first entry of `made`; a file
 * that is a set brings its own.
 *
 * @param name of the set; by default its own, or that of the only file, or that of the format
 * @throws BadRecordsError with everything that is wrong with the files
 */
export function loadSet(
  format: Format,
  files: readonly TextFile[],
  name?: string,
  options: LoadOptions = {},
): BenchmarkSet {
  const { limit } = options;
  if (format === 'set') {
    const own = setOf(files);
    const set = { ...own, ...(name !== undefined && { name }) };
    if (limit === undefined) return set;
    const first = firstCases(set, limit);
    return { ...first, made: [...set.made, making(format, limit, first, {})] };
  }
  const { placed, problems } = READERS[format](files, options);
  const named = name ?? (files.length === 1 ? stemOf(files[0].path) : format);
  const whole: BenchmarkSet = {
    name: named,
    collections: placed.map(({ record }) => record.collection),
    cases: placed.flatMap(({ record }) => record.cases),
    made: [],
  };
  // What is wrong with the records says more than what is then wrong with the set.
  const all = problems.length > 0 ? problems : setProblems(whole, placed);
  if (all.length > 0) throw new BadRecordsError(all, 'loaded');
  const set = limit === undefined ? whole : firstCases(whole, limit);
  const used = new Set(set.collections);
  const records = placed.flatMap(({ record }) => (used.has(record.collection) ? [record] : []));
  return { ...set, made: [making(format, limit, set, countsOf(records))] };
}

function setOf(files: readonly TextFile[]): BenchmarkSet {
  const { placed, problems } = checkRecords(files, benchmarkSetSchema);
  const [first, ...others] = placed;
  if (first === undefined || problems.length > 0) throw new BadRecordsError(problems, 'loaded');
  return others.length === 0 ? first.record : joinedSet(placed);
}

/**
 * Several sets as one. Collections and cases go by the name of their set and their own; the steps of all are kept.
 *
 * @throws BadRecordsError for sets of one name, and for names that are too long together
 */
function joinedSet(placed: readonly Placed<BenchmarkSet>[]): BenchmarkSet {
  const problems = placed.flatMap(({ where, record }, place): RecordProblem[] => {
    const before = placed.slice(0, place).find((each) => each.record.name === record.name);
    return before === undefined ? [] : [{ where, pointer: '/name', detail: `is the name of ${before.where} too` }];
  });
  const sets = placed.map(({ record }) => record);
  const joined = {
    name: sets.map((set) => set.name).join(', '),
    collections: sets.flatMap((set) => set.collections.map((each) => ({ ...each, id: `${set.name}/${each.id}` }))),
    cases: sets.flatMap((set) =>
      set.cases.map((each) => ({
        ...each,
        id: `${set.name}/${each.id}`,
        collection: `${set.name}/${each.collection}`,
      })),
    ),
    made: sets.flatMap((set) => set.made),
  };
  const read = benchmarkSetSchema.safeParse(joined);
  const wrong = read.success ? [] : problemsIn(read.error, []);
  const all = [...problems, ...wrong.map((problem) => ({ where: 'the sets together', ...problem }))];
  if (all.length > 0) throw new BadRecordsError(problems.length > 0 ? problems : all, 'loaded');
  return { ...joined, made: [...joined.made, making('set', undefined, joined, { sets: sets.length })] };
}

/** @param load what a record gives, under a name for what has none: that of the file, with its number if there are more */
function readerOf<Item>(schema: ZodType<Item>, load: (item: Item, name: string) => Loaded): Reader {
  return (files) => {
    const read = files.map((file) => {
      const { placed, problems } = checkRecords([file], schema);
      const stem = stemOf(file.path);
      const loaded = placed.map(({ where, record }, index): Placed<Loaded> => {
        const name = placed.length === 1 ? stem : `${stem}-${index + 1}`;
        return { where, record: load(record, name) };
      });
      return { loaded, problems: isBrokenObject(file, problems) ? [notJson(file)] : problems };
    });
    return { placed: read.flatMap(({ loaded }) => loaded), problems: read.flatMap(({ problems }) => problems) };
  };
}

function readDocuments(
  files: readonly TextFile[],
  { intents = [], absolute = (path) => path }: LoadOptions,
): CheckedRecords<Loaded> {
  const told = files.filter((file) => !isBlank(file));
  // Where nothing is left every file is told.
  const kept = told.length > 0 ? told : files;
  const ids = idsOfFiles(kept.map(({ path }) => absolute(path)));
  const named = kept.map((file, place) => ({ ...file, id: ids[place] }));
  const problems = named.flatMap((file, place): RecordProblem[] => {
    const read = documentFileSchema.safeParse(file);
    const wrong = read.success ? [] : problemsIn(read.error, []);
    const before = named.slice(0, place).find(({ id }) => id === file.id);
    const detail = before?.path === file.path ? 'is named twice' : `gets the id "${file.id}", as ${before?.path} does`;
    const twice = before === undefined ? [] : [{ pointer: '', detail }];
    return [...wrong, ...twice].map((problem) => ({ where: file.path, ...problem }));
  });
  const record = loadDocuments(named, intents, files.length - kept.length);
  return { placed: [{ where: 'the files together', record }], problems };
}

/** Whether a file was meant as one object over several lines: then each of these would be told as no JSON. */
function isBrokenObject({ text }: TextFile, problems: readonly RecordProblem[]): boolean {
  return problems.length > 0 && /^\uFEFF?\s*\{[ \t]*\r?\n/.test(text) && !isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

function notJson({ path }: TextFile): RecordProblem {
  return { where: path, pointer: '', detail: 'is not valid JSON' };
}

/** The name of a file without its folder and its last ending. */
function stemOf(path: string): string {
  const file = path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
  return file.replace(/(?<=.)\.[^.]*$/, '');
}

function countsOf(records: readonly Loaded[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const record of records) {
    for (const [what, count] of Object.entries(record.counts)) counts[what] = (counts[what] ?? 0) + count;
  }
  return counts;
}

/** Of the rules of all formats. */
const VERSION = 2;

function making(
  format: Format,
  limit: number | undefined,
  { collections, cases }: BenchmarkSet,
  counts: Readonly<Record<string, number>>,
): Making {
  const documents = collections.reduce((sum, collection) => sum + collection.documents.length, 0);
  return {
    step: 'load',
    version: VERSION,
    seed: 0,
    model: null,
    prompts: {},
    options: { format, limit: limit ?? null },
    counts: { collections: collections.length, documents, cases: cases.length, ...counts },
  };
}

/**
 * What is wrong with a set that records gave, each with the record that it came from: ids that two of them give, and
 * whatever a set may not hold. The pointer is one into the set.
 */
function setProblems(set: BenchmarkSet, placed: readonly Placed<Loaded>[]): RecordProblem[] {
  const repeated = [
    ...again(
      'collection',
      placed.map(({ where, record }) => ({ where, id: record.collection.id })),
    ),
    ...again(
      'case',
      placed.flatMap(({ where, record }) => record.cases.map(({ id }) => ({ where, id }))),
    ),
  ];
  if (repeated.length > 0) return repeated;
  const read = benchmarkSetSchema.safeParse(set);
  if (read.success) return [];
  const origins = {
    collections: placed.map(({ where }) => where),
    cases: placed.flatMap(({ where, record }) => record.cases.map(() => where)),
  };
  return (invalidBody(read.error).errors ?? []).map(({ pointer, detail }) => {
    const [, part, index] = pointer.split('/');
    const where = part === 'collections' || part === 'cases' ? origins[part][Number(index)] : undefined;
    return { where: where ?? 'the set', pointer: '', detail: `would give ${pointer} of a set, which ${detail}` };
  });
}

function again(what: string, ids: readonly { readonly where: string; readonly id: string }[]): RecordProblem[] {
  const first = new Map<string, string>();
  return ids.flatMap(({ where, id }) => {
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, where);
      return [];
    }
    return [{ where, pointer: '', detail: `gives the ${what} "${id}", as ${before} does` }];
  });
}
