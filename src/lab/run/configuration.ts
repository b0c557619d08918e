import { z } from 'zod';
import { text } from '../../contract/index.ts';
import {
  type BenchmarkSet,
  issueReporter,
  type ReportIssue,
  reportDuplicates,
  reportReferences,
} from '../benchmark-set.ts';
import { BadRecordsError, checkRecords, oneRecord, type TextFile } from '../check-records.ts';
import { FORMATS, loadSet } from '../loaders/load-set.ts';
import { RESULT_METRICS } from '../results/metrics.ts';
import { ORDERS } from '../results/positions.ts';
import { type Retrieval, retrievalSchema } from '../retrieval/retrieval.ts';
import { movesPlaces } from '../retrieval/retrieve.ts';
import { sweptSystem, sweptSystems } from './arms.ts';
import {
  type DigestSystem,
  type FileSystem,
  type OutputRecord,
  outputKey,
  outputSchema,
  type RunFiles,
  type RunSet,
  type System,
} from './system.ts';

const name = text(500).min(1);
const path = text(4_000).min(1);

const common = {
  name,
  baseline: name.optional(),
  metrics: z
    .array(z.enum(RESULT_METRICS.map(({ key }) => key)))
    .min(1)
    .optional(),
};

/** A list gives a system for each retrieval: the cells of a matrix. */
const retrieval = z.union([retrievalSchema, z.array(retrievalSchema).min(2).max(20)]).optional();
/** Three systems: with the relevant documents first, last and anywhere, or by the order that each output names. */
const orders = z.literal(true).optional();

/** Systems of one entry; those of a file get their outputs once it is read. */
type Entry = { readonly systems: readonly DigestSystem[] } | OutputsFile;
interface OutputsFile {
  readonly name: string;
  readonly path: string;
  readonly systems: readonly FileSystem[];
}

/** What a writer without fault could make of the documents that a retrieval gives. */
const perfectEntry = z
  .strictObject({ name, retrieval, orders, perfect: z.literal(true) })
  .refine(({ retrieval: given }) => [given].flat().every((each) => !movesPlaces(each?.show)), {
    path: ['retrieval'],
    message: 'shows snippets or summaries, of which the labels do not tell what they hold',
  })
  .transform((entry) => ({ ...entry, options: {} }));
const digestEntry = z.strictObject({ ...sweptSystem, retrieval, orders });
const entrySchema = z
  .union([digestEntry, perfectEntry, z.strictObject({ name, outputs: path, orders })])
  .transform((entry, context): Entry => {
    if (!('outputs' in entry)) return { systems: digestSystems(entry, context) };
    const { name: family, outputs, orders: isOrdered } = entry;
    const systems = isOrdered
      ? ORDERS.map((order) => ({ name: `${family}, ${order}`, outputs: new Map(), family: { family, order } }))
      : [{ name: family, outputs: new Map() }];
    return { name: family, path: outputs, systems };
  });

/** A run configuration; paths are relative to its folder. */
const runSchema = z
  .strictObject({
    ...common,
    sets: z
      .array(
        z.strictObject({
          name: name.optional(),
          format: z.enum(FORMATS).default('set'),
          files: z.array(path).min(1).max(1000),
          keyPoints: z.union([z.literal('insights'), z.int().min(1).max(1000)]).optional(),
          limit: z.int().min(1).optional(),
        }),
      )
      .min(1)
      .max(100),
    systems: z.array(entrySchema).min(1).max(1000),
  })
  // No refinement, which would also see entries that are wrong, and so are no systems.
  .transform((record, context) => {
    const all = record.systems.flatMap((entry): readonly System[] => entry.systems);
    checkNames(all, record.baseline, issueReporter(context));
    return record;
  });

function checkNames(systems: readonly System[], baseline: string | undefined, report: ReportIssue): void {
  const names = systems.map((system) => system.name);
  for (const detail of repeated(names)) report(['systems'], detail);
  if (baseline === undefined || names.includes(baseline)) return;
  report(['baseline'], `names "${baseline}", which is none of the systems`);
}

/**
 * Reads the configuration of `benchmark run` and its files.
 * @param read files by their paths as the configuration gives them
 * @throws BadRecordsError with every problem; errors of `read`
 */
export function readRun(file: TextFile, read: (paths: readonly string[]) => TextFile[]): RunFiles {
  const { systems: entries, ...record } = oneRecord([file], runSchema, 'run');
  const whole = record.sets.map(({ format, files, name: own }) => loadSet(format, read(files), own));
  const sets = whole.map((set, place): RunSet => {
    const { keyPoints, limit } = record.sets[place];
    return { ...set, cases: set.cases.slice(0, limit), ...(keyPoints !== undefined && { keyPoints }) };
  });
  const where = `${file.path} record 0`;
  const problems = [
    ...repeated(sets.map((set) => set.name)).map((detail) => ({ where, pointer: '/sets', detail })),
    ...entries.flatMap((entry) => ('path' in entry ? readOutputs(entry, whole, read([entry.path])[0]) : [])),
  ];
  if (problems.length > 0) throw new BadRecordsError(problems, 'run');
  const systems = entries.flatMap((entry): readonly System[] => entry.systems);
  return runFiles(file.path, record, sets, systems);
}

function runFiles(
  file: string,
  { name: own, baseline, metrics }: z.output<z.ZodObject<typeof common>>,
  sets: readonly RunSet[],
  systems: readonly System[],
): RunFiles {
  return { path: file, name: own, sets, systems, baseline: baseline ?? systems[0].name, metrics: metrics ?? null };
}

function digestSystems(
  { retrieval: given, orders: isOrdered, ...entry }: z.output<typeof digestEntry | typeof perfectEntry>,
  context: z.core.$RefinementCtx,
): DigestSystem[] {
  const written = 'perfect' in entry ? [{ ...entry, needsModel: false }] : sweptSystems(entry, context);
  const systems = written.flatMap((each: DigestSystem): DigestSystem[] => {
    if (!Array.isArray(given)) return [{ ...each, retrieval: given }];
    const labels = labelsOf(given);
    return given.map((own, at) => ({
      ...each,
      name: `${each.name}, ${labels[at]}`,
      retrieval: own,
      cell: { summariser: each.name, retriever: labels[at] },
    }));
  });
  if (!isOrdered) return systems;
  return systems.flatMap((each) =>
    ORDERS.map((order) => ({
      ...each,
      name: `${each.name}, ${order}`,
      retrieval: { ...(each.retrieval ?? { by: 'full' as const }), order },
      family: { family: each.name, order },
    })),
  );
}

function labelsOf(retrievals: readonly Retrieval[]): string[] {
  const short = retrievals.map(({ by, name: own }) => (own === undefined ? by : `${by} ${own}`));
  const isAlone = (label: string) => short.filter((each) => each === label).length === 1;
  return short.map((label, place) => (isAlone(label) ? label : JSON.stringify(retrievals[place])));
}

/** Fills the systems of a file with its outputs. Every output must answer a case of the whole set. */
function readOutputs({ name: own, systems }: OutputsFile, sets: readonly BenchmarkSet[], file: TextFile) {
  const { placed, problems } = checkRecords([file], outputSchema);
  const found = [...problems];
  const ofSystem = placed.filter(({ record }) => record.system === undefined || record.system === own);
  for (const { where, record } of ofSystem) {
    const report: ReportIssue = (at, detail) => found.push({ where, pointer: `/${at.join('/')}`, detail });
    const named = sets.filter((set) => record.set === undefined || record.set === set.name);
    const there = named.flatMap((set) => answeredIn(set, record.case) ?? []);
    const system = systems.find(({ family }) => family?.order === record.order);
    if (system === undefined) report(['order'], `goes with "orders": true, as one of ${ORDERS.join(', ')}`);
    else if (named.length === 0) report(['set'], 'is not the name of one of the sets');
    else if (there.length === 0) report(['case'], 'is not the id of a case of the sets');
    else if (there.length > 1) report(['set'], 'is needed: several sets have a case of this id');
    else addOutput(system, record, there[0], report);
  }
  if (found.length === 0 && ofSystem.length === 0) {
    const names = [...new Set(placed.map(({ record }) => `"${record.system}"`))].join(', ');
    const detail = `holds no outputs of "${own}", but of ${names}; a line's "system" is the name of the system here`;
    found.push({ where: file.path, pointer: '', detail });
  }
  return found;
}

function answeredIn({ name: set, cases, collections }: BenchmarkSet, id: string) {
  const found = cases.find((each) => each.id === id);
  const collection = collections.find((each) => each.id === found?.collection);
  return collection && { set, documents: collection.documents };
}

function addOutput(
  { outputs, family }: FileSystem,
  { case: id, sentences, bullets = [], given, cost, picks, asked }: OutputRecord,
  { set, documents: known }: NonNullable<ReturnType<typeof answeredIn>>,
  report: ReportIssue,
): void {
  const key = outputKey(set, id);
  if (outputs.has(key)) report(['case'], `was answered before${family ? ' in this order' : ''}`);
  const lengths = new Map(known.map((document) => [document.id, document.text.length]));
  reportReferences({ picks, sentences: sentences?.map(({ quote }) => ({ quote })) }, [], lengths, report);
  given?.forEach((document, place) => {
    if (!lengths.has(document)) report(['given', place], 'is not the id of one of the documents');
  });
  reportDuplicates(given ?? [], (place) => ['given', place], report);
  outputs.set(key, { sentences: sentences ?? bullets, given, cost, picks, asked });
}

/** A problem for each name that is given twice. */
function repeated(names: readonly string[]): string[] {
  const twice = new Set(names.filter((each, place) => names.indexOf(each) < place));
  return [...twice].map((each) => `gives "${each}" twice`);
}
