import { problemsIn } from '../../contract/index.ts';
import { invalidBody } from '../../server/index.ts';
import { titleOf } from '../../text/index.ts';
import { type BenchmarkSet, benchmarkSetSchema, type Making } from '../benchmark-set.ts';
import {
  BadRecordsError,
  type CheckedRecords,
  checkRecords,
  type Placed,
  type RecordProblem,
  type TextFile,
} from '../check-records.ts';
import { DIVERSESUMM, type Format, HAYSTACK, LONG2RAG, type Loaded, MEETINGS, QMSUM } from './formats.ts';
import { SUMMHAY } from './summhay.ts';

interface LoadOptions {
  readonly intents?: readonly string[] | undefined;
  /** Resolves a path for ids; by default paths are absolute already. */
  readonly absolute?: ((path: string) => string) | undefined;
  readonly limit?: number | undefined;
}

type Reader = (files: readonly TextFile[], options: LoadOptions) => CheckedRecords<Loaded>;

const READERS: Readonly<Record<Exclude<FormatName, 'set'>, Reader>> = {
  documents: readDocuments,
  summhay: readerOf(SUMMHAY),
  diversesumm: readerOf(DIVERSESUMM),
  qmsum: readerOf(QMSUM),
  long2rag: readerOf(LONG2RAG),
  haystack: readerOf(HAYSTACK),
  meetings: readerOf(MEETINGS),
};

export const FORMATS = [
  ...(['set', 'documents', 'summhay', 'diversesumm'] as const),
  ...(['qmsum', 'long2rag', 'haystack', 'meetings'] as const),
];
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
    const own = setOf(files);
    const set = { ...own, ...(name !== undefined && { name }) };
    if (limit === undefined) return set;
    const first = firstCases(set, limit);
    return { ...first, made: [...set.made, making(format, limit, first, {})] };
  }
  const { placed, problems } = READERS[format](files, options);
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
  const counts: Record<string, number> = {};
  for (const { record } of placed.filter(({ record: { collection } }) => set.collections.includes(collection))) {
    for (const [what, count] of Object.entries(record.counts)) counts[what] = (counts[what] ?? 0) + count;
  }
  return { ...set, made: [making(format, limit, set, counts)] };
}

function firstCases(set: BenchmarkSet, most: number): BenchmarkSet {
  const cases = set.cases.slice(0, most);
  const asked = new Set(cases.map(({ collection }) => collection));
  return { ...set, collections: set.collections.filter(({ id }) => asked.has(id)), cases };
}

/** Prefixes ids with the set's name. @throws BadRecordsError also for duplicate names, and joined names that are too long */
function setOf(files: readonly TextFile[]): BenchmarkSet {
  const { placed, problems } = checkRecords(files, benchmarkSetSchema);
  const [first, ...others] = placed;
  if (first === undefined || problems.length > 0) throw new BadRecordsError(problems, 'loaded');
  if (others.length === 0) return first.record;
  const twice = placed.flatMap(({ where, record }, place): RecordProblem[] => {
    const before = placed.slice(0, place).find((each) => each.record.name === record.name);
    return before === undefined ? [] : [{ where, pointer: '/name', detail: `is the name of ${before.where} too` }];
  });
  if (twice.length > 0) throw new BadRecordsError(twice, 'loaded');
  const sets = placed.map(({ record }) => record);
  const joined = {
    name: sets.map((set) => set.name).join(', '),
    collections: sets.flatMap((set) => set.collections.map((each) => ({ ...each, id: `${set.name}/${each.id}` }))),
    cases: sets.flatMap((set) =>
      set.cases.map((each) => ({
        ...each,
        ...{ id: `${set.name}/${each.id}`, collection: `${set.name}/${each.collection}` },
      })),
    ),
    made: sets.flatMap((set) => set.made),
  };
  const read = benchmarkSetSchema.safeParse(joined);
  if (!read.success) {
    const wrong = problemsIn(read.error, []).map((problem) => ({ where: 'the sets together', ...problem }));
    throw new BadRecordsError(wrong, 'loaded');
  }
  return { ...joined, made: [...joined.made, making('set', undefined, joined, { sets: sets.length })] };
}

function readerOf<Item>({ schema, load }: Format<Item>): Reader {
  return (files) => {
    const read = files.map((file) => {
      const { placed, problems } = checkRecords([file], schema);
      const stem = stemOf(file.path);
      const loaded = placed.map(({ where, record }, index): Placed<Loaded> => {
        const name = placed.length === 1 ? stem : `${stem}-${index + 1}`;
        return { where, record: load(record, name) };
      });
      const broken = { where: file.path, pointer: '', detail: 'is not valid JSON' };
      return { loaded, problems: isBrokenObject(file, problems) ? [broken] : problems };
    });
    return { placed: read.flatMap(({ loaded }) => loaded), problems: read.flatMap(({ problems }) => problems) };
  };
}

/** Whether a file is one object over several lines, which would give an error for each line. */
function isBrokenObject({ text }: TextFile, problems: readonly RecordProblem[]): boolean {
  const isObject = /^\uFEFF?\s*\{[ \t]*\r?\n/.test(text);
  return isObject && problems.some(({ where, detail }) => / line \d+$/.test(where) && detail === 'is not valid JSON');
}

function readDocuments(
  files: readonly TextFile[],
  { intents = [], absolute = (path) => path }: LoadOptions,
): CheckedRecords<Loaded> {
  const told = files.filter((file) => !isBlank(file));
  const kept = told.length > 0 ? told : files;
  const ids = idsOfFiles(kept.map(({ path }) => absolute(path)));
  const problems = kept.flatMap(({ path, ...file }, place): RecordProblem[] => {
    const first = ids.indexOf(ids[place]);
    const before = kept[first].path;
    const detail = before === path ? 'is named twice' : `gets the id "${ids[place]}", as ${before} does`;
    const twice = first === place ? [] : [{ where: path, pointer: '', detail }];
    return isBlank(file) ? [{ where: path, pointer: '/text', detail: 'holds no text' }, ...twice] : twice;
  });
  const collection = 'documents';
  const documents = kept.map(({ path, text }, place) => ({ id: ids[place], title: titleOf(path, text), text }));
  const cases =
    intents.length === 0
      ? [{ id: collection, collection }]
      : intents.map((intent, index) => ({ id: `${collection}/${index + 1}`, collection, intent }));
  const record = {
    collection: { id: collection, documents },
    cases,
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
const VERSION = 3;

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

function setProblems(set: BenchmarkSet, placed: readonly Placed<Loaded>[]): RecordProblem[] {
  const collections = placed.map(({ where, record }) => ({ where, id: record.collection.id }));
  const cases = placed.flatMap(({ where, record }) => record.cases.map(({ id }) => ({ where, id })));
  const repeated = [...repeatedIds('collection', collections), ...repeatedIds('case', cases)];
  if (repeated.length > 0) return repeated;
  const read = benchmarkSetSchema.safeParse(set);
  if (read.success) return [];
  const origins = { collections, cases };
  return (invalidBody(read.error).errors ?? []).map(({ pointer, detail }) => {
    const [, part, index] = pointer.split('/');
    const where = part === 'collections' || part === 'cases' ? origins[part][Number(index)]?.where : undefined;
    return { where: where ?? 'the set', pointer: '', detail: `would give ${pointer} of a set, which ${detail}` };
  });
}

function repeatedIds(what: string, ids: readonly { readonly where: string; readonly id: string }[]): RecordProblem[] {
  const first = new Map<string, string>();
  return ids.flatMap(({ where, id }) => {
    const before = first.get(id);
    if (before !== undefined) return [{ where, pointer: '', detail: `gives the ${what} "${id}", as ${before} does` }];
    first.set(id, where);
    return [];
  });
}
