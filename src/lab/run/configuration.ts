import { z } from 'zod';
import { digestRequestSchema, LIMITS, text } from '../../contract/index.ts';
import { sourceCoverage, summHay } from '../../evaluation/index.ts';
import {
  type BenchmarkSet,
  type Collection,
  issueReporter,
  reportDuplicates,
  reportReferences,
} from '../benchmark-set.ts';
import {
  BadRecordsError,
  checkRecords,
  oneRecord,
  type Placed,
  type RecordProblem,
  type TextFile,
} from '../check-records.ts';
import { FORMATS, loadSet } from '../loaders/load-set.ts';
import { RESULT_METRICS } from '../results/metrics.ts';
import { ORDERS } from '../results/positions.ts';
import { type Retrieval, retrievalSchema } from '../retrieval/retrieval.ts';
import { type CheckedSystems, sweptSystem, sweptSystems } from './arms.ts';
import { type DigestSystem, type GivenOutput, outputKey, type RunFiles, type RunSet, type System } from './system.ts';

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

const comparisonSchema = z.strictObject({ ...common, arms: z.array(z.strictObject(sweptSystem)).min(1).max(1000) });

/** A run configuration; paths are relative to its folder. Options of systems are checked once sweeps are expanded. */
const runSchema = z.strictObject({
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
  systems: z
    .array(
      z.union([
        z.strictObject({
          ...sweptSystem,
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
});

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

type SystemOrder = z.output<typeof runSchema>['systems'][number];

/**
 * Reads the configuration of `benchmark run` and its files.
 * @param read files by their paths as the configuration gives them
 * @throws BadRecordsError with every problem; errors of `read`
 */
export function readRun(file: TextFile, read: (paths: readonly string[]) => TextFile[]): RunFiles {
  const [where, record] = [`${file.path} record 0`, oneRecord([file], runSchema, 'run')];
  const whole = record.sets.map(({ format, files, name: own }) => loadSet(format, read(files), own));
  const sets = whole.map((set, place): RunSet => {
    const { keyPoints, limit } = record.sets[place];
    return { ...set, cases: set.cases.slice(0, limit), ...(keyPoints !== undefined && { keyPoints }) };
  });
  const checked = record.systems.map((system, place): CheckedSystems<System> => {
    if ('outputs' in system) return fileSystems(system, whole, read([system.outputs])[0]);
    return digestSystems(system, where, `/systems/${place}`);
  });
  const twice = problemsOf(sets, where, '/sets');
  return runFiles({ where, record, field: '/systems', undone: 'run' }, sets, checked, twice);
}

/** Reads the files of `compare`. @throws BadRecordsError with every problem */
export function readComparison(configuration: TextFile, data: TextFile): RunFiles {
  const record = oneRecord([configuration], comparisonSchema, 'compared');
  const where = `${configuration.path} record 0`;
  const { placed, problems } = checkRecords([data], datumSchema);
  const [collections, cases] = [placed.map((each) => each.record.collection), placed.map((each) => each.record.case)];
  const checked = record.arms.map((arm, place) => sweptSystems(arm, where, `/arms/${place}`));
  const set = { name: record.name, collections, cases, made: [] };
  const ids = cases.map(({ id }) => ({ name: id }));
  const twice = problemsOf(ids, data.path, '/id');
  return runFiles({ where, record, field: '/arms', undone: 'compared' }, [set], checked, [...problems, ...twice]);
}

interface Configured extends Placed<z.output<z.ZodObject<typeof common>>> {
  readonly field: string;
  readonly undone: string;
}

function runFiles(
  { where, record, field, undone }: Configured,
  sets: readonly RunSet[],
  checked: readonly CheckedSystems<System>[],
  others: readonly RecordProblem[],
): RunFiles {
  const systems = checked.flatMap((each) => each.systems);
  const baseline = record.baseline ?? systems[0]?.name ?? '';
  const wrong = [...checked.flatMap((each) => each.problems), ...problemsOf(systems, where, field)];
  if (wrong.length === 0 && systems.every((system) => system.name !== baseline)) {
    wrong.push(problem(where, '/baseline', `names "${baseline}", which is none of the ${field.slice(1)}`));
  }
  if (others.length + wrong.length > 0) throw new BadRecordsError([...others, ...wrong], undone);
  return { name: record.name, sets, systems, baseline, metrics: record.metrics ?? null };
}

function digestSystems(
  { retrieval, orders, ...entry }: Exclude<SystemOrder, { outputs: string }>,
  where: string,
  pointer: string,
): CheckedSystems {
  const { systems, problems } = sweptSystems(entry, where, pointer);
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
  const short = retrievals.map(({ by, name: own }) => (own === undefined ? by : `${by} ${own}`));
  return short.map((label, place) =>
    short.filter((each) => each === label).length > 1 ? JSON.stringify(retrievals[place]) : label,
  );
}

/** Every output must answer a case of the whole set. */
function fileSystems(
  { name: system, orders }: { readonly name: string; readonly orders?: true | undefined },
  sets: readonly BenchmarkSet[],
  file: TextFile,
): CheckedSystems<System> {
  const { placed, problems } = checkRecords([file], outputSchema);
  const found = [...problems];
  const byOrder = new Map((orders ? ORDERS : [null]).map((order) => [order, new Map<string, GivenOutput>()]));
  const own = placed.filter(({ record }) => record.system === undefined || record.system === system);
  for (const { where, record } of own) {
    const outputs = byOrder.get(record.order ?? null);
    const named = sets.filter((set) => record.set === undefined || record.set === set.name);
    const there = named.flatMap((set) => answeredIn(set, record.case) ?? []);
    const [set] = there;
    const wrong =
      (outputs === undefined && problem(where, '/order', orderProblem(orders))) ||
      (named.length === 0 && problem(where, '/set', 'is not the name of one of the sets')) ||
      (set === undefined && problem(where, '/case', 'is not the id of a case of the sets')) ||
      (there.length > 1 && problem(where, '/set', 'is needed: several sets have a case of this id'));
    if (wrong) found.push(wrong);
    if (wrong || outputs === undefined) continue;
    const key = outputKey(set.name, record.case);
    const again = orders ? 'was answered before in this order' : 'was answered before';
    if (outputs.has(key)) found.push(problem(where, '/case', again));
    const { sentences, bullets = [], given, cost, picks, asked } = record;
    found.push(...referenceProblems(record, set.collection).map(([at, detail]) => problem(where, at, detail)));
    outputs.set(key, { sentences: sentences ?? bullets, given, cost, picks, asked });
  }
  if (found.length === 0 && own.length === 0) {
    const names = [...new Set(placed.map(({ record }) => `"${record.system}"`))].join(', ');
    const detail = `holds no outputs of "${system}", but of ${names}; a line's "system" is the name of the system here`;
    found.push(problem(file.path, '', detail));
  }
  const systems = [...byOrder].map(([order, outputs]): System => {
    if (order === null) return { name: system, outputs };
    return { name: `${system}, ${order}`, outputs, family: { family: system, order } };
  });
  return { systems, problems: found };
}

function orderProblem(orders: true | undefined): string {
  return orders
    ? `is missing: with "orders" each line says ${ORDERS.map((each) => `"${each}"`).join(', ')}`
    : 'needs "orders": true of the system, so that each order is a system of its own';
}

function answeredIn({ name: set, cases, collections }: BenchmarkSet, id: string) {
  const found = cases.find((each) => each.id === id);
  const collection = collections.find((each) => each.id === found?.collection);
  return collection && { name: set, collection };
}

function referenceProblems(
  { given = [], sentences = [], picks = [] }: z.output<typeof outputSchema>,
  { documents }: Collection,
): (readonly [pointer: string, detail: string])[] {
  const lengths = new Map(documents.map(({ id, text: own }) => [id, own.length]));
  const places = [
    ...given.map((document) => ({ at: '/given', document, start: 0, end: 1 })),
    ...sentences.map(({ quote }, place) => ({ at: `/sentences/${place}/quote`, ...quote })),
    ...picks.map((pick, place) => ({ at: `/picks/${place}`, ...pick })),
  ];
  const wrong = places.flatMap(({ at, document, start = 0, end = 0 }): (readonly [string, string])[] => {
    if (document === undefined) return [];
    const length = lengths.get(document);
    if (length === undefined) return [[at, `names "${document}", which is none of the documents of the case`]];
    return at === '/given' || (start < end && end <= length) ? [] : [[at, 'is no stretch of its document']];
  });
  return [...wrong, ...repeated(given).map((id) => ['/given', `names "${id}" twice`] as const)];
}

function problem(where: string, pointer: string, detail: string): RecordProblem {
  return { where, pointer, detail };
}

function problemsOf(named: readonly { readonly name: string }[], where: string, pointer: string): RecordProblem[] {
  return repeated(named.map((each) => each.name)).map((own) => problem(where, pointer, `gives "${own}" twice`));
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((each, place) => names.indexOf(each) < place))];
}

const { documents, intent } = digestRequestSchema.shape;

/** A case of a comparison, with its documents. */
const datumSchema = z
  .strictObject({
    id: name,
    documents: documents.unwrap(),
    intent,
    insights: summHay.order.shape.insights.optional(),
    questions: sourceCoverage.order.shape.questions.optional(),
  })
  .superRefine(({ documents: given, insights = [], questions = [], intent: asked }, context) => {
    const report = issueReporter(context);
    const isDigest = typeof asked === 'object' && typeof asked.background === 'object';
    if (isDigest) report(['intent', 'background'], 'is given in words here: no digest can be named');
    insights.forEach(({ text: told }, place) => {
      if (told.trim() === '') report(['insights', place, 'text'], 'is blank');
    });
    const ids = insights.map(({ id }) => id);
    reportDuplicates(ids, (place) => ['insights', place, 'id'], report);
    const lengths = new Map(given.map(({ id, text: own }) => [id, own.length]));
    reportReferences({ insights, questions }, [], lengths, report);
  })
  .transform(({ id, documents: given, intent: asked, insights, questions }) => {
    const { background, ...report } = typeof asked === 'object' ? asked : { problem: asked ?? '', background: null };
    return {
      collection: { id, documents: given },
      case: {
        ...{ id, collection: id, insights },
        intent: report.problem === '' ? undefined : report.problem,
        ...(typeof asked === 'object' && {
          report: { ...report, ...(typeof background === 'string' && { background }) },
        }),
        questions: questions?.map((each) => ({
          ...each,
          position: Math.max(
            0,
            given.findIndex((document) => document.id === each.document),
          ),
        })),
      },
    };
  });
