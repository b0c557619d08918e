import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { LIMITS, text } from '../../contract/index.ts';
import {
  BadRecordsError,
  type BenchmarkCase,
  type BenchmarkSet,
  type Collection,
  checkRecords,
  type DigestSystem,
  FORMATS,
  type GivenOutput,
  knownRelevance,
  loadSet,
  ORDERS,
  outputKey,
  type RecordProblem,
  type Retrieval,
  type RunSet,
  retrievalSchema,
  type System,
  sweptSystem,
  sweptSystems,
  wantedMetrics,
} from '../../lab/index.ts';
import { readTextFiles } from '../read-files.node.ts';

const name = text(500).min(1);
const path = text(4_000).min(1);

/** A run configuration; paths are relative to its folder. Options of systems are checked once sweeps are expanded. */
const runSchema = z.strictObject({
  name,
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
  systems: z
    .array(
      z.union([
        z.strictObject({
          ...sweptSystem,
          options: sweptSystem.options.default({}),
          /** A list gives a system for each: the cells of a matrix. */
          retrieval: z.union([retrievalSchema, z.array(retrievalSchema).min(2).max(20)]).optional(),
          /** Three systems, given the relevant documents first, last and anywhere. */
          orders: z.literal(true).optional(),
        }),
        z.strictObject({
          name,
          outputs: path,
          /** Three systems, by the order of documents that each line names. */
          orders: z.literal(true).optional(),
        }),
      ]),
    )
    .min(1)
    .max(1000),
  baseline: name.optional(),
  metrics: wantedMetrics,
});

type RunOrder = z.output<typeof runSchema>;

const documentIds = z.array(name).max(LIMITS.documents);

const span = z.strictObject({ document: name, start: z.int().min(0), end: z.int().min(1) });

const outputSchema = z
  .strictObject({
    set: name.optional(),
    case: name,
    /** For a file with outputs of several systems; other systems are skipped. */
    system: name.optional(),
    sentences: z
      .array(z.strictObject({ text: text(20_000), documents: documentIds, quote: span.nullable().optional() }))
      .max(10_000)
      .optional(),
    bullets: z.array(text(20_000)).max(10_000).optional(),
    picks: z.array(span).max(10_000).optional(),
    asked: z.int().min(0).nullable().optional(),
    given: documentIds.optional(),
    order: z.enum(ORDERS).optional(),
    cost: z.number().min(0).optional(),
  })
  .refine(({ sentences, bullets }) => (sentences === undefined) !== (bullets === undefined), {
    message: 'needs either "sentences" or "bullets"',
  });

export interface RunFiles {
  readonly name: string;
  readonly sets: readonly RunSet[];
  readonly systems: readonly System[];
  readonly baseline: string;
  readonly metrics: readonly string[] | null;
}

type SystemOrder = RunOrder['systems'][number];
type ReadSet = { readonly set: RunSet; readonly whole: BenchmarkSet };
type Checked = { readonly systems: readonly System[]; readonly problems: readonly RecordProblem[] };

/**
 * Reads a configuration and its files.
 * @throws BadRecordsError with every problem; UnreadableFileError
 */
export function readRun(path: string): RunFiles {
  const [configuration] = readTextFiles([path]);
  const { placed, problems: ofFile } = checkRecords([configuration], runSchema);
  const more = placed.length > 1 ? [problem(path, '', 'holds more than one configuration')] : [];
  const [order] = placed;
  if (order === undefined || ofFile.length + more.length > 0) throw new BadRecordsError([...ofFile, ...more], 'run');
  const { where, record } = order;
  const at = (file: string) => resolve(dirname(path), file);
  const read = record.sets.map(({ format, files, name, keyPoints, limit }): ReadSet => {
    const texts = readTextFiles(files.map(at));
    const set = loadSet(format, texts, name, { limit });
    return {
      set: { ...set, ...(keyPoints !== undefined && { keyPoints }) },
      whole: limit === undefined ? set : loadSet(format, texts, name),
    };
  });
  const sets = read.map(({ set }) => set);
  const checked = record.systems.map((system, place) => systemsOf(system, place, where, read, at));
  const systems = checked.flatMap((each) => each.systems);
  const baseline = record.baseline ?? systems[0]?.name ?? '';
  const problems = [
    ...checked.flatMap((each) => each.problems),
    ...repeated(sets.map(({ name }) => name)).map((name) => problem(where, '/sets', `gives "${name}" twice`)),
    ...repeated(systems.map(({ name }) => name)).map((name) => problem(where, '/systems', `gives "${name}" twice`)),
  ];
  if (problems.length === 0 && systems.every(({ name }) => name !== baseline)) {
    problems.push(problem(where, '/baseline', `names "${baseline}", which is none of the systems`));
  }
  if (problems.length > 0) throw new BadRecordsError(problems, 'run');
  return { name: record.name, sets, systems, baseline, metrics: record.metrics ?? null };
}

function systemsOf(
  system: SystemOrder,
  place: number,
  where: string,
  sets: readonly ReadSet[],
  at: (file: string) => string,
): Checked {
  if ('outputs' in system) return fileSystems(system, sets, at(system.outputs));
  const { retrieval, orders, ...entry } = system;
  const { systems, problems } = sweptSystems(entry, where, `/systems/${place}`);
  const retrieving = systems.flatMap((each): DigestSystem[] => {
    if (!Array.isArray(retrieval)) return [{ ...each, retrieval }];
    const labels = labelsOf(retrieval);
    return retrieval.map((own, at) => ({
      ...each,
      name: `${each.name}, ${labels[at]}`,
      retrieval: own,
      cell: { summariser: each.name, retriever: labels[at] },
    }));
  });
  if (orders === undefined) return { systems: retrieving, problems };
  const ordered = retrieving.flatMap((each) =>
    ORDERS.map((order) => ({
      ...each,
      name: `${each.name}, ${order}`,
      retrieval: { ...(each.retrieval ?? { by: 'full' as const }), order },
      family: { family: each.name, order },
    })),
  );
  return { systems: ordered, problems };
}

function labelsOf(retrievals: readonly Retrieval[]): string[] {
  const short = retrievals.map(({ by, name }) => (name === undefined ? by : `${by} ${name}`));
  return short.map((label, place) =>
    short.filter((each) => each === label).length > 1 ? JSON.stringify(retrievals[place]) : label,
  );
}

/** Every output must answer a case of the whole set. */
function fileSystems(
  { name, orders }: { readonly name: string; readonly orders?: true | undefined },
  sets: readonly ReadSet[],
  path: string,
): Checked {
  const { placed, problems } = checkRecords(readTextFiles([path]), outputSchema);
  const found = [...problems];
  const byOrder = new Map((orders ? ORDERS : [null]).map((order) => [order, new Map<string, GivenOutput>()]));
  const others = new Set<string>();
  for (const { where, record } of placed) {
    if (record.system !== undefined && record.system !== name) {
      others.add(record.system);
      continue;
    }
    const outputs = byOrder.get(record.order ?? null);
    if (outputs === undefined) {
      found.push(problem(where, '/order', orderProblem(orders)));
      continue;
    }
    const named = sets.filter(({ set }) => record.set === undefined || record.set === set.name);
    const there = named.flatMap(({ whole }) => answeredIn(whole, record.case) ?? []);
    const [set, ...more] = there;
    if (named.length === 0) found.push(problem(where, '/set', 'is not the name of one of the sets'));
    else if (set === undefined) found.push(problem(where, '/case', 'is not the id of a case of the sets'));
    else if (more.length > 0) found.push(problem(where, '/set', 'is needed: several sets have a case of this id'));
    else if (outputs.has(outputKey(set.name, record.case)))
      found.push(problem(where, '/case', orders ? 'was answered before in this order' : 'was answered before'));
    else {
      const { sentences, bullets = [], given, cost, picks, asked } = record;
      found.push(...givenProblems(given, set.collection).map((detail) => problem(where, '/given', detail)));
      found.push(...misplaced(record, set.asked).map((detail) => problem(where, '/given', detail)));
      found.push(...quoteProblems(record, set.collection).map(([at, detail]) => problem(where, at, detail)));
      outputs.set(outputKey(set.name, record.case), { sentences: sentences ?? bullets, given, cost, picks, asked });
    }
  }
  if (found.length === 0 && [...byOrder.values()].every(({ size }) => size === 0)) {
    const names = [...others].map((each) => `"${each}"`).join(', ');
    found.push(
      problem(
        path,
        '',
        `holds no outputs of "${name}", but of ${names}; a line's "system" is the name of the system here`,
      ),
    );
  }
  const systems = [...byOrder].map(([order, outputs]): System => {
    if (order === null) return { name, outputs };
    return { name: `${name}, ${order}`, outputs, family: { family: name, order } };
  });
  return { systems, problems: found };
}

function orderProblem(orders: true | undefined): string {
  return orders
    ? `is missing: with "orders" each line says ${ORDERS.map((each) => `"${each}"`).join(', ')}`
    : 'needs "orders": true of the system, so that each order is a system of its own';
}

function misplaced({ order, given }: z.output<typeof outputSchema>, asked: BenchmarkCase): string[] {
  const known = knownRelevance(asked);
  if (given === undefined || known === null || order === undefined || order === 'random') return [];
  const matters = given.map((id) => known.amounts.has(id));
  const ordered = matters.toSorted((a, b) => (order === 'top' ? Number(b) - Number(a) : Number(a) - Number(b)));
  const isOrdered = matters.every((each, place) => each === ordered[place]);
  return isOrdered ? [] : [`does not have the documents that matter at the ${order}, as "order" says`];
}

function answeredIn({ name, cases, collections }: BenchmarkSet, id: string) {
  const found = cases.find((each) => each.id === id);
  const collection = collections.find((each) => each.id === found?.collection);
  return found === undefined || collection === undefined ? undefined : { name, collection, asked: found };
}

function givenProblems(given: readonly string[] = [], { documents }: Collection): string[] {
  const known = new Set(documents.map(({ id }) => id));
  return [
    ...given.filter((id) => !known.has(id)).map((id) => `names "${id}", which is none of the documents of the case`),
    ...repeated(given).map((id) => `names "${id}" twice`),
  ];
}

function quoteProblems(
  { sentences = [], picks = [] }: z.output<typeof outputSchema>,
  { documents }: Collection,
): (readonly [pointer: string, detail: string])[] {
  const lengths = new Map(documents.map(({ id, text }) => [id, text.length]));
  const quoted = [
    ...sentences.map(({ quote }, place) => [`/sentences/${place}/quote`, quote ?? null] as const),
    ...picks.map((pick, place) => [`/picks/${place}`, pick] as const),
  ];
  return quoted.flatMap(([at, quote]) => {
    if (quote === null) return [];
    const length = lengths.get(quote.document);
    if (length === undefined) return [[at, `names "${quote.document}", which is none of the documents of the case`]];
    const isWithin = quote.start < quote.end && quote.end <= length;
    return isWithin ? [] : [[at, 'is no stretch of its document']];
  });
}

function problem(where: string, pointer: string, detail: string): RecordProblem {
  return { where, pointer, detail };
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, place) => names.indexOf(name) < place))];
}
