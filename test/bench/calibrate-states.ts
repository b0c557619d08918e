import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EMBEDDED, transformersEncoder } from '../../src/models/index.node.ts';
import type { Encoding } from '../../src/models/index.ts';
import { inverseTokenFrequency, tokenSupport } from '../../src/selection/index.ts';
import { sentenceChecker, states } from '../../src/summary/index.ts';
import { extractSentences } from '../../src/text/index.ts';
import { COLLECTIONS } from '../summary/collections.ts';

// Prints the figures of docs/decisions/citing-sources.md on what is cited: npx tsx test/bench/calibrate-states.ts [--list]
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    models: { type: 'string', default: process.env.TESSERA_MODELS ?? '../shared/models' },
    list: { type: 'boolean', default: false },
  },
});

/** The tables go to standard output. */
const print = (line: string) => process.stdout.write(`${line}\n`);
const read = (file: string) => JSON.parse(readFileSync(`${values.data}/${file}`, 'utf8'));

interface Statement {
  readonly document: string;
  readonly text: string;
  /** The points of questions that it makes. */
  readonly points: ReadonlySet<string>;
}

interface Labelled {
  readonly id: string;
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  readonly questions: readonly {
    readonly id: string;
    readonly points?: readonly { readonly statements: readonly Quoted[] }[];
    readonly nearMisses?: readonly Quoted[];
    readonly contradictions?: readonly (readonly [Quoted, Quoted])[];
  }[];
}
type Quoted = { readonly document: string; readonly quote: string };

const encoder = await transformersEncoder({ ...EMBEDDED, models: values.models });
const { tokenDimensions, calibration } = encoder.profile;
const known = new Map<string, Promise<Encoding>>();
const encode = (text: string) => {
  const made = known.get(text) ?? encoder.encode([text]).then(([one]) => one);
  known.set(text, made);
  return made;
};

/** Holds two statements against each other with the word weights of a collection. */
async function judge(reference: readonly string[]) {
  const weight = inverseTokenFrequency(await Promise.all(reference.map(encode)));
  const squared = (id: number) => weight(id) ** 2;
  const checker = sentenceChecker({
    encode: (texts) => Promise.all(texts.map(encode)),
    profile: encoder.profile,
    reference,
  });
  return async (a: Pick<Statement, 'document' | 'text'>, b: Pick<Statement, 'document' | 'text'>) => {
    const [x, y] = await Promise.all([a.text, b.text].map(encode));
    const [there, back] = [
      tokenSupport(x, [y], tokenDimensions, squared).recall,
      tokenSupport(y, [x], tokenDimensions, squared).recall,
    ];
    const similarity = there + back > 0 ? (2 * there * back) / (there + back) : 0;
    const [verdict] = await checker.check([{ text: a.text, quotes: [b.text], allowedNames: [], language: 'eng' }]);
    const closeness = { verdict, similarity, found: calibration.supported.tokens };
    const isNear = similarity >= calibration.unlike;
    return {
      states: isNear && states(a.text, { text: b.text, names: [] }, closeness),
    };
  };
}

/** Every pair of statements of different documents, both ways. */
async function pairs(name: string, reference: readonly string[], statements: readonly Statement[]) {
  const compare = await judge(reference);
  const count = { stated: 0, right: 0 };
  for (const a of statements) {
    for (const b of statements) {
      if (a.document === b.document) continue;
      const found = await compare(a, b);
      const isSame = [...a.points].some((point) => b.points.has(point));
      if (found.states) {
        count.stated += 1;
        count.right += isSame ? 1 : 0;
        if (values.list) print(`  states${isSame ? ' (same point)' : ''}: ${a.text} || ${b.text}`);
      }
    }
  }
  print(`${name}: ${JSON.stringify(count)}`);
}

for (const { name, documents } of COLLECTIONS) {
  const statements = documents.flatMap(({ id, text }) =>
    extractSentences(text).map((point) => ({ document: id, text: point.text, points: new Set<string>() })),
  );
  await pairs(
    name,
    statements.map(({ text }) => text),
    statements,
  );
}
for (const { id, documents, questions } of read('questions.json') as Labelled[]) {
  const points = new Map<string, Statement & { readonly points: Set<string> }>();
  const add = ({ document, quote }: Quoted, point?: string) => {
    const made = points.get(`${document}|${quote}`) ?? { document, text: quote, points: new Set<string>() };
    if (point !== undefined) made.points.add(point);
    points.set(`${document}|${quote}`, made);
  };
  for (const question of questions) {
    question.points?.forEach(({ statements }, at) => {
      for (const quoted of statements) add(quoted, `${question.id}-${at}`);
    });
    for (const quoted of [...(question.nearMisses ?? []), ...(question.contradictions ?? []).flat()]) add(quoted);
  }
  const reference = documents.flatMap(({ text }) => extractSentences(text).map((point) => point.text));
  await pairs(id, reference, [...points.values()]);
}
const claims: readonly { claim: string; evidence: string; supported: boolean }[] = read('entailment.json');
const compare = await judge([...new Set(claims.map(({ evidence }) => evidence))]);
const table = { supported: 0, not: 0 };
for (const { claim, evidence, supported } of claims) {
  const found = await compare({ document: 'a', text: claim }, { document: 'b', text: evidence });
  if (found.states) table[supported ? 'supported' : 'not'] += 1;
}
print(`claims written over news and meetings, stated: ${JSON.stringify(table)} of 150 each`);
