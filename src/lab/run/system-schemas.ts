import { z } from 'zod';
import { digestOptions, digestRequestSchema, text } from '../../contract/index.ts';
import type { ResolvedReport } from '../../digest/index.ts';
import { sourceCoverage, summHay } from '../../evaluation/index.ts';
import { invalidBody } from '../../server/index.ts';
import { issueReporter, reportDuplicates } from '../benchmark-set.ts';
import type { RecordProblem } from '../check-records.ts';
import { RESULT_METRICS } from '../results/metrics.ts';
import { PUBLISHED_ARMS, PUBLISHED_OPTIONS } from './published-arms.ts';
import type { DigestSystem } from './system.ts';

/** Values to try by option path: `{"selection.size.keyPoints": [5, 10]}`. */
type Sweep = Readonly<Record<string, readonly unknown[]>>;

interface SweptArm {
  readonly suffix: string;
  readonly options: unknown;
}

/** One arm per combination of values; paths create missing objects. */
export function expandSweeps(options: unknown, sweep: Sweep = {}): SweptArm[] {
  const labels = labelsOf(Object.keys(sweep));
  return Object.entries(sweep).reduce<SweptArm[]>(
    (arms, [path, values], place) =>
      arms.flatMap((arm) =>
        values.map((value) => ({
          suffix: `${arm.suffix}, ${labels[place]} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
          options: withValue(arm.options, path.split('.'), value),
        })),
      ),
    [{ suffix: '', options }],
  );
}

function labelsOf(paths: readonly string[]): string[] {
  const last = paths.map((path) => path.slice(path.lastIndexOf('.') + 1));
  return paths.map((path, place) => (last.filter((each) => each === last[place]).length > 1 ? path : last[place]));
}

function withValue(options: unknown, [field, ...rest]: readonly string[], value: unknown): unknown {
  const fields: Readonly<Record<string, unknown>> = isObject(options) ? options : {};
  const inner = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return { ...fields, [field]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const name = text(500).min(1);
const { documents, intent } = digestRequestSchema.shape;
const { selection, summary, engine } = digestOptions;

const armOptionsSchema = z.strictObject({ selection, summary, engine });

export const wantedMetrics = z
  .array(z.enum(RESULT_METRICS.map(({ key }) => key)))
  .min(1)
  .optional();

/** A system; its options are checked after its sweep is expanded. */
export const sweptSystem = {
  name,
  /** A published system whose options the others override. */
  arm: z.enum(PUBLISHED_ARMS).optional(),
  options: z.record(z.string(), z.unknown()),
  sweep: z.record(z.string().regex(/^\w+(\.\w+)*$/), z.array(z.unknown()).min(1).max(100)).optional(),
  requires: z.literal('model').optional(),
};

export const comparisonSchema = z.strictObject({
  name,
  arms: z
    .array(z.strictObject({ ...sweptSystem, options: sweptSystem.options.default({}) }))
    .min(1)
    .max(1000),
  baseline: name.optional(),
  metrics: wantedMetrics,
});

interface SweptSystems {
  readonly systems: readonly DigestSystem[];
  readonly problems: readonly RecordProblem[];
}

/** A published arm gives two systems: the model's draft, and the verified summary. */
export function sweptSystems(
  { name, arm, options: given, sweep, requires }: z.output<typeof comparisonSchema>['arms'][number],
  where: string,
  pointer: string,
): SweptSystems {
  const systems: DigestSystem[] = [];
  const problems: RecordProblem[] = [];
  const options = arm === undefined ? given : joined(PUBLISHED_OPTIONS[arm], given);
  for (const { suffix, options: swept } of expandSweeps(options, sweep)) {
    const read = armOptionsSchema.safeParse(swept);
    if (read.success) {
      const system = { name: name + suffix, options: read.data, needsModel: requires === 'model' || arm !== undefined };
      if (arm !== undefined) systems.push({ ...system, text: 'draft' }, { ...system, name: verifiedName(system.name) });
      else systems.push(system);
    }
    const wrong = read.success ? [] : (invalidBody(read.error).errors ?? []);
    const told = suffix === '' ? '' : ` (of "${name}${suffix}")`;
    for (const { pointer: at, detail } of wrong) {
      problems.push({ where, pointer: `${pointer}/options${at}`, detail: detail + told });
    }
  }
  return { systems, problems };
}

export function verifiedName(system: string): string {
  return `${system}, verified`;
}

function joined(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const fields = Object.entries(above).map(([field, value]) => [
    field,
    Object.hasOwn(below, field) ? joined(below[field], value) : value,
  ]);
  return { ...below, ...Object.fromEntries(fields) };
}

export const datumSchema = z
  .strictObject({
    id: name,
    documents: documents.unwrap(),
    intent: intent.refine((given) => !namesDigest(given), {
      path: ['background'],
      message: 'is given in words here: no digest can be named',
    }),
    insights: summHay.order.shape.insights.optional(),
    questions: sourceCoverage.order.shape.questions.optional(),
  })
  .superRefine(({ documents: given, insights = [], questions = [] }, context) => {
    const known = new Set(given.map(({ id }) => id));
    const report = issueReporter(context);
    const ids = insights.map(({ id }) => id);
    reportDuplicates(ids, (place) => ['insights', place, 'id'], report);
    insights.forEach(({ text: told, documents: where = [] }, place) => {
      if (told.trim() === '') report(['insights', place, 'text'], 'is blank');
      for (const [index, document] of where.entries()) {
        if (!known.has(document)) {
          report(['insights', place, 'documents', index], 'is not the id of one of the documents');
        }
      }
    });
    questions.forEach(({ document }, place) => {
      if (!known.has(document)) report(['questions', place, 'document'], 'is not the id of one of the documents');
    });
  })
  .transform(({ intent: given, ...rest }) => ({ ...rest, intent: inWords(given) }));

type Intent = z.output<typeof intent>;

function namesDigest(given: Intent): boolean {
  return typeof given === 'object' && typeof given.background === 'object';
}

function inWords(given: Intent): string | ResolvedReport | undefined {
  if (typeof given !== 'object') return given;
  const { background, ...rest } = given;
  return { ...rest, ...(typeof background === 'string' && { background }) };
}
