import type { SchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Contract } from './contract.ts';

/** What is there to be asked for. */
interface Known {
  /** Documents of the digest. */
  readonly documents: readonly string[];
  readonly digest: string;
  readonly collection: string;
  /** One that runs, and a subject that saw it. */
  readonly experiment: string;
  readonly subject: string;
}

const SENTENCES = [
  'The council approved a congestion charge of 4 euros.',
  'Sales in the old town fell by 8 percent when the bridge was closed.',
  'MAYOR: Buses will run every ten minutes from autumn on.',
  'Air pollution near schools would fall by 9 percent, the study finds.',
  'Die Maut beginnt am 1. September.',
  '市议会批准了拥堵费。',
  'Who will check the number plates?',
];

const sentences = fc.array(fc.constantFrom(...SENTENCES), { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
const odd = fc.string({ unit: 'grapheme', maxLength: 30 });
const words = fc.oneof({ weight: 3, arbitrary: sentences }, { weight: 1, arbitrary: odd });
const URLS = [
  'https://example.org/a',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'ftp://example.org',
  'https://example.org/ü?q=%20',
];
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Requests that fit a schema of the contract, and that a small service answers quickly: texts are short and few. */
export function requestArbitrary(schema: SchemaObject, contract: Contract, known: Known): fc.Arbitrary<unknown> {
  return whole(schema, contract, known);
}

/** What is scored, and what else is needed with it, of requests to score. */
const SCORED: Readonly<Record<string, readonly string[]>> = {
  SummHayRequest: ['bullets'],
  KeyPointRecallRequest: ['answer'],
  ArgueRequest: ['report', 'documents'],
  SourceCoverageRequest: ['summary', 'documents'],
};

function whole(schema: SchemaObject, contract: Contract, known: Known): fc.Arbitrary<unknown> {
  const alternatives: SchemaObject[] | undefined = contract.resolve(schema).oneOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((each) => whole(each, contract, known)));
  const fitting = of(schema, '', contract, known);
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  // What a schema cannot say: which fields exclude each other.
  if (name === 'DigestRequest') return digestRequests(fitting, contract, known);
  if (name in SCORED) return evaluationRequests(name, fitting, contract, known);
  if (name === 'ExperimentRequest' || name === 'ExperimentChanges') return experimentRequests(name, fitting);
  if (name === 'OutcomesRequest') return outcomesRequests(fitting);
  return name === 'SelectionsRequest' ? selectionsRequests(fitting, contract, known) : fitting;
}

function of(schema: SchemaObject, field: string, contract: Contract, known: Known): fc.Arbitrary<unknown> {
  const resolved = contract.resolve(schema);
  const part = (each: SchemaObject, name = field) => of(each, name, contract, known);
  if (field === 'digest') return fc.constantFrom(known.digest, 'dig_0');
  if (field === 'collection') return fc.constantFrom(known.collection, 'col_0');
  if (field === 'subject') return fc.constantFrom(known.subject, known.subject, 'nobody');
  if (field === 'experiment')
    return fc.constantFrom(known.experiment, 'none').map((key) => ({ key, subject: 'nobody' }));
  if (field === 'encoder') return fc.constantFrom('hashed-words', 'unheard-of');
  const { anyOf, allOf, type } = resolved;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((each: SchemaObject) => part(each)));
  if (allOf !== undefined) return part(allOf[0]);
  if (resolved.const !== undefined) return fc.constant(resolved.const);
  if (resolved.enum !== undefined) return fc.constantFrom(...resolved.enum);
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => part({ ...resolved, type: each })));
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return strings(resolved, field);
  if (type === 'integer' || type === 'number') return numbers(resolved);
  if (type === 'array') return lists(resolved, (each) => part(each));
  return records(resolved, part);
}

function strings({ format, minLength = 0, maxLength = 100 }: SchemaObject, field: string): fc.Arbitrary<string> {
  if (format === 'date') return day.map((iso) => iso.slice(0, 10));
  if (format === 'date-time') return day;
  if (format === 'uri' || field === 'callbackUrl') return fc.constantFrom(...URLS);
  if (field === 'id') return fc.string({ unit: 'grapheme', minLength: Math.max(1, minLength), maxLength: 8 });
  return words.map((text) => text.slice(0, maxLength)).filter((text) => text.length >= minLength);
}

function numbers({ type, minimum = -1000, maximum = 1000, exclusiveMinimum }: SchemaObject): fc.Arbitrary<number> {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1e-9;
  if (type === 'integer') {
    const most = Math.min(maximum, Number.MAX_SAFE_INTEGER);
    const few = fc.integer({ min: least, max: Math.min(most, least + 5) });
    return fc.oneof({ weight: 3, arbitrary: few }, { weight: 1, arbitrary: fc.constantFrom(least, most) });
  }
  return fc.oneof(
    fc.double({ min: least, max: maximum, noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(least, maximum, Math.min(maximum, least + 1)),
  );
}

function lists(
  { items, minItems = 0, maxItems = 4 }: SchemaObject,
  of: (schema: SchemaObject) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown[]> {
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
  // Ids of lists are those of one thing each.
  return fc.uniqueArray(of(items), { ...lengths, selector: (item) => (item as { id?: unknown }).id ?? Symbol() });
}

function records(
  { properties = {}, required = [] }: SchemaObject,
  of: (schema: SchemaObject, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries<SchemaObject>(properties).map(([name, schema]) => {
    const given = of(schema, name);
    const absent = { weight: 2, arbitrary: fc.constant(undefined) };
    return [name, required.includes(name) ? given : fc.oneof(absent, { weight: 1, arbitrary: given })];
  });
  return fc.record(Object.fromEntries(entries)).map((made) => JSON.parse(JSON.stringify(made)));
}

function fieldOf(name: string, field: string, contract: Contract, known: Known): fc.Arbitrary<unknown> {
  const schema = contract.resolve({ $ref: `#/components/schemas/${name}` });
  return of(schema.properties[field], field, contract, known);
}

function digestRequests(fitting: fc.Arbitrary<unknown>, contract: Contract, known: Known): fc.Arbitrary<unknown> {
  const documents = fieldOf('DigestRequest', 'documents', contract, known);
  return fc.tuple(fitting, documents, fc.integer({ min: 0, max: 3 })).map(([request, given, kind]) => {
    const rest = { ...(request as object), documents: undefined, collection: undefined };
    return kind === 0 ? { ...rest, collection: known.collection } : { ...rest, documents: given };
  });
}

/** With the text or a digest, and with documents that are there. */
function evaluationRequests(name: string, fitting: fc.Arbitrary<unknown>, contract: Contract, known: Known) {
  const [text, ...others] = SCORED[name];
  const needed = fc.record(
    Object.fromEntries(SCORED[name].map((field) => [field, fieldOf(name, field, contract, known)])),
  );
  const documents = known.documents;
  const document = fc.constantFrom(...documents);
  return fc.tuple(fitting, needed, fc.boolean(), document).map(([request, texts, isStored, named]) => {
    // Sources number a text, and have to be among the documents.
    const { judge: _, sources: __, ...rest } = request as Record<string, unknown>;
    const given = isStored
      ? { digest: known.digest, [text]: undefined, ...Object.fromEntries(others.map((field) => [field, undefined])) }
      : { ...texts, digest: undefined };
    const made = { ...rest, ...given };
    if (name === 'SummHayRequest') return { ...made, documents: undefined };
    if (name !== 'SourceCoverageRequest') return made;
    const questions = (rest.questions as object[]).map((question) => ({ ...question, document: named }));
    return { ...made, questions, ...(!isStored && { documents }) };
  });
}

function selectionsRequests(fitting: fc.Arbitrary<unknown>, contract: Contract, known: Known): fc.Arbitrary<unknown> {
  const entry = fc.double({ min: -10, max: 10, noNaN: true });
  const vectors = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))
    .chain(([n, d]) => fc.array(fc.array(entry, { minLength: d, maxLength: d }), { minLength: n, maxLength: n }));
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const source = fc.oneof(
    fieldOf('SelectionsRequest', 'items', contract, known).map((items) => ({ items })),
    vectors.map((embeddings) => ({ embeddings })),
    vectors.map((embeddings) => ({ embeddings, queryEmbedding: embeddings[0] })),
    vectors.map((rows) => ({ kernel: rows.map((a) => rows.map((b) => dot(a, b))) })),
    fc.constant({ digest: known.digest }),
  );
  const none = { items: undefined, embeddings: undefined, kernel: undefined, digest: undefined };
  return fc.tuple(fitting, source, fc.boolean()).map(([request, given, isBare]) => ({
    ...(request as object),
    ...none,
    queryEmbedding: undefined,
    relevanceScores: undefined,
    ...('kernel' in given && { intent: undefined, engine: undefined }),
    ...(isBare && { draws: undefined }),
    ...given,
  }));
}

/** With names that are names, weights that sum to 1, and mostly options that are no trouble. */
function experimentRequests(name: string, fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const key = fc.uuid();
  const shares = fc.tuple(fc.constantFrom(0.5, 0.25), fc.boolean());
  return fc.tuple(fitting, key, shares).map(([request, own, [weight, isPlain]]) => {
    const { variants = [], metrics = [], guardrails = [], ...rest } = request as Record<string, object[] | undefined>;
    const named = (given: object[], prefix: string) => given.map((each, i) => ({ ...each, key: `${prefix}${i}` }));
    const [control = {}, other = {}] = variants;
    return {
      ...rest,
      ...(name === 'ExperimentRequest' && { key: own, salt: own }),
      ...(name === 'ExperimentChanges' && { salt: undefined }),
      variants: [
        { ...control, name: 'control', weight },
        { ...other, name: 'other', weight: 1 - weight },
      ].map((variant) => ({ ...variant, ...(isPlain && { options: {} }) })),
      metrics: named(metrics.length === 0 ? [{ type: 'mean', direction: 'increase' }] : metrics, 'goal-'),
      guardrails: named(guardrails, 'guardrail-'),
    };
  });
}

/** Of metrics that there are. */
function outcomesRequests(fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const metric = fc.constantFrom('read', 'seconds', 'share', 'clicks', 'complaint', 'none');
  return fc.tuple(fitting, fc.infiniteStream(metric)).map(([request, metrics]) => {
    const { outcomes } = request as { readonly outcomes: readonly object[] };
    return { outcomes: outcomes.map((outcome) => ({ ...outcome, metric: metrics.next().value })) };
  });
}
