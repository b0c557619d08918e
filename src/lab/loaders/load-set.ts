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
import { tally } from '../makers/asked-model.ts';
import { type Loaded, PUBLISHED } from './formats.ts';

interface LoadOptions {
  readonly intents?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

export const FORMATS = ['set', 'documents', 'summhay', 'diversesumm', 'long2rag', 'haystack', 'meetings'] as const;
export type FormatName = (typeof FORMATS)[number];

/**
 * Loads a benchmark set from files. `made` begins with the loading step, unless the file is a set; its counts are of all
 * that the files hold, also beyond a limit.
 * @param name by default the set's own, or that of the only file, or of the format
 * @throws BadRecordsError with every problem
 */
export function loadSet(
  format: FormatName,
  files: readonly TextFile[],
  name?: string,
  { intents = [], limit }: LoadOptions = {},
): BenchmarkSet {
  const { counts, count } = tally();
  if (format === 'set') {
    const own = { ...oneRecord(files, benchmarkSetSchema, 'loaded'), ...(name !== undefined && { name }) };
    return limit === undefined ? own : firstCases(own, limit, [...own.made, making(format, limit, {})]);
  }
  const { placed, problems } =
    format === 'documents' ? readDocuments(files, intents) : readPublished(format, files, count);
  const whole: BenchmarkSet = {
    name: name ?? (files.length === 1 ? stemOf(files[0].path) : format),
    collections: placed.map(({ record }) => record.collection),
    cases: placed.flatMap(({ record }) => record.cases),
    made: [],
  };
  // Report problems of records first: they cause those of the set.
  const all = problems.length > 0 ? problems : setProblems(whole, placed);
  if (all.length > 0) throw new BadRecordsError(all, 'loaded');
  const made = [making(format, limit, counts())];
  return limit === undefined ? { ...whole, made } : firstCases(whole, limit, made);
}

function firstCases(set: BenchmarkSet, most: number, made: BenchmarkSet['made']): BenchmarkSet {
  const cases = set.cases.slice(0, most);
  const asked = new Set(cases.map(({ collection }) => collection));
  return { ...set, collections: set.collections.filter(({ id }) => asked.has(id)), cases, made };
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

/** Raise it if the rules of a format change. */
const VERSION = 5;

function making(format: FormatName, limit: number | undefined, counts: Making['counts']): Making {
  const options = { format, limit: limit ?? null };
  return { step: 'load', version: VERSION, seed: 0, model: null, prompts: {}, options, counts };
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
