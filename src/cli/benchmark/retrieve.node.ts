import type { DigestDeps } from '../../digest/index.ts';
import { mean } from '../../evaluation/index.ts';
import {
  asksSomething,
  type BenchmarkCase,
  type BenchmarkSet,
  type Collection,
  countingLine,
  DEFAULT_BUDGET,
  DEFAULT_RETRIEVAL_SEED,
  type KnownRelevance,
  knownRelevance,
  needsIntent,
  printUsage,
  RETRIEVERS,
  type Retrieval,
  type RetrievalDeps,
  type Retrieved,
  type Retriever,
  retrieve,
  textTable,
} from '../../lab/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { INTERRUPTED } from '../run-notes.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand } from './command.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** A case that retrieval can be scored on. */
interface ScorableCase {
  readonly benchmarkCase: BenchmarkCase;
  readonly known: KnownRelevance;
}

/** What one retriever found for one case. */
interface RetrieverScore extends RetrievalRecall {
  /** Id of the case. */
  readonly case: string;
  /** Documents given, and their tokens. */
  readonly taken: number;
  readonly tokens: number;
}

interface RetrieverReport {
  readonly retrieval: Retrieval;
  /** Means over the cases. */
  readonly means: Omit<RetrieverScore, 'case'>;
  readonly cases: readonly RetrieverScore[];
}

/**
 * The cases that know which documents matter, and where one of the retrievers compares with an intent, have one: all
 * retrievers are to be scored on the same.
 */
function scorableCases({ cases }: BenchmarkSet, retrievals: readonly Retrieval[]): ScorableCase[] {
  const withIntent = retrievals.some(({ by }) => needsIntent(by));
  return cases.flatMap((benchmarkCase) => {
    const known = knownRelevance(benchmarkCase);
    const isUnsaid = withIntent && !asksSomething(benchmarkCase);
    return known === null || isUnsaid ? [] : [{ benchmarkCase, known }];
  });
}

/**
 * How much of what matters each retriever finds (Laban et al. 2024, section 5).
 *
 * @param onScored told after every case of every retriever
 * @param signal ends it between two of them
 * @returns null where it was ended
 */
async function compareRetrievers(
  { collections }: BenchmarkSet,
  cases: readonly ScorableCase[],
  retrievals: readonly Retrieval[],
  deps: RetrievalDeps,
  { onScored, signal }: { readonly onScored: (done: number) => void; readonly signal: AbortSignal },
): Promise<RetrieverReport[] | null> {
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const reports: RetrieverReport[] = [];
  for (const retrieval of retrievals) {
    const scores: RetrieverScore[] = [];
    for (const { benchmarkCase, known } of cases) {
      if (signal.aborted) return null;
      const collection = byId.get(benchmarkCase.collection);
      if (collection === undefined) throw new TypeError(`there is no collection "${benchmarkCase.collection}"`);
      const retrieved = await retrieve(collection, benchmarkCase, retrieval, deps);
      const { documents, tokens } = retrieved;
      const recall = retrievalRecall(retrieved, known, collection);
      scores.push({ case: benchmarkCase.id, ...recall, taken: documents.length, tokens });
      onScored(reports.length * cases.length + scores.length);
    }
    reports.push({ retrieval, means: meansOf(scores), cases: scores });
  }
  return reports;
}

function meansOf(scores: readonly RetrieverScore[]): RetrieverReport['means'] {
  const of = (field: keyof RetrieverReport['means']) => mean(scores.map((score) => score[field])) ?? 0;
  return {
    documents: of('documents'),
    weighted: of('weighted'),
    precision: of('precision'),
    taken: of('taken'),
    tokens: of('tokens'),
  };
}

/** How much of what matters was retrieved, before anything is written of it. */
interface RetrievalRecall {
  /** Share of the documents that matter which are given; one that was cut counts by how much of it is left. */
  readonly documents: number;
  /** The same, each by how much it holds of what the case asks for. */
  readonly weighted: number;
  /** Share of the given documents that matter; 0 where none is given. */
  readonly precision: number;
}

/** The retrieval-only evaluation of Laban et al. 2024, section 5. */
function retrievalRecall(
  { documents }: Pick<Retrieved, 'documents'>,
  known: KnownRelevance,
  collection: Collection,
): RetrievalRecall {
  const lengths = new Map(collection.documents.map(({ id, text }) => [id, text.length]));
  const found = documents.flatMap(({ id, text }) => {
    const amount = known.amounts.get(id);
    return amount === undefined ? [] : [{ amount, left: text.length / Math.max(1, lengths.get(id) ?? 1) }];
  });
  const all = [...known.amounts.values()];
  return {
    documents: total(found.map(({ left }) => left)) / all.length,
    weighted: total(found.map(({ amount, left }) => amount * left)) / total(all),
    precision: documents.length === 0 ? 0 : found.length / documents.length,
  };
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Scores retrievers alone: how much of what matters they find within a budget. */
export const retrieveCommand: BenchmarkCommand = {
  summary: 'Score retrievers alone: how much of what matters they find.',
  usage: `SET [--by ${RETRIEVERS.join('|')}]... [--name ENCODER|RERANKER]...
                     [--budget ${DEFAULT_BUDGET}] [--seed N] [--json]`,

  examples: ['tessera benchmark retrieve set.json --by bm25 --budget 1000'],
  async run(args, service, { stdout, stderr }, signal) {
    const { values, positionals } = parseFlags(args, {
      by: { type: 'string', multiple: true },
      name: { type: 'string', multiple: true },
      budget: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'boolean' },
    });
    const path = onlyPositional(positionals, 'a file that holds a benchmark set');
    const by = retrieversOf(values.by ?? []);
    const budget = wholeNumber('--budget', values.budget, DEFAULT_BUDGET);
    const seed = wholeNumber('--seed', values.seed, DEFAULT_RETRIEVAL_SEED, 0);
    const set = readSet(path);
    const { deps, spent } = meteredDeps(await service());
    const names = [...new Set(values.name ?? [])];
    const wanted = wantedRetrievals(by, names, { budget, seed }, deps);
    const isAsked = set.cases.some(asksSomething);
    const retrievals = by.length > 0 || isAsked ? wanted : wanted.filter((each) => !needsIntent(each.by));

    const cases = scorableCases(set, retrievals);
    if (cases.length === 0) throw new UsageError(`${path} holds no case ${scorable(retrievals)}.`);
    const left = set.cases.length - cases.length;
    if (left > 0)
      stderr.write(`${left} of ${set.cases.length} cases are left out: a case is scored ${scorable(retrievals)}.\n`);
    const line = countingLine(stderr, 'retrieving');
    const total = cases.length * retrievals.length;
    const onScored = (done: number) => line.notify(done, total, '');
    const reports = await compareRetrievers(set, cases, retrievals, deps, { onScored, signal }).finally(line.end);
    const calls = printUsage(spent());
    if (calls !== '') stderr.write(`${calls}\n`);
    if (reports === null) {
      stderr.write('Stopped. What is encoded and scored by rerankers is kept.\n');
      return INTERRUPTED;
    }
    if (values.json === true) writeJson(undefined, { set: set.name, budget, seed, retrievers: reports }, stdout);
    else stdout.write(`${printRetrievers(reports)}\n${legend(cases.length, budget)}\n`);
    return 0;
  },
};

/** @throws UsageError for a method that there is not */
function retrieversOf(given: readonly string[]): Retriever[] {
  const unknown = given.find((each) => !RETRIEVERS.some((known) => known === each));
  if (unknown !== undefined) throw new UsageError(`--by is one of ${RETRIEVERS.join(', ')}, not "${unknown}".`);
  return RETRIEVERS.filter((each) => given.includes(each));
}

/** The encoders and rerankers, telling what their calls of endpoints take. */
function meteredDeps({ cache, engine }: DigestDeps): { deps: RetrievalDeps; spent: () => CallUsage } {
  let total = NO_USAGE;
  const spend = (usage: CallUsage) => {
    total = addUsage(total, usage);
  };
  const metered = <Scorer extends { metered?(spend: (usage: CallUsage) => void): Scorer }>(
    all: ReadonlyMap<string, Scorer>,
  ) => new Map([...all].map(([name, each]) => [name, each.metered?.(spend) ?? each]));
  const { encoders, rerankers, defaultEncoder } = engine;
  const own = { encoders: metered(encoders), rerankers: metered(rerankers), defaultEncoder };
  return { deps: { cache, engine: own }, spent: () => total };
}

function scorable(retrievals: readonly Retrieval[]): string {
  const needing = retrievals.find(({ by }) => needsIntent(by));
  const intent = needing === undefined ? '' : `, and that has an intent, as retrieval by "${needing.by}" needs`;
  return `that knows which documents matter (by insights, relevant questions, passages, nuggets or key points)${intent}`;
}

function printRetrievers(reports: readonly RetrieverReport[]): string {
  const rows = reports.map(({ retrieval: { by, name }, means }) => [
    name === undefined ? by : `${by} ${name}`,
    means.documents.toFixed(3),
    means.weighted.toFixed(3),
    means.precision.toFixed(3),
    means.taken.toFixed(1),
    means.tokens.toFixed(0),
  ]);
  return textTable(['retriever', 'recall', 'weighted', 'precision', 'documents', 'tokens'], rows);
}

function legend(cases: number, budget: number): string {
  return `
Means over ${cases} ${cases === 1 ? 'case' : 'cases'}, within ${budget} tokens (bytes / 4; "full" has no budget).
recall: share of the documents that matter which are taken; weighted: each by how much of what is asked for it holds;
precision: share of the documents taken that matter. A document that is cut counts by what is left of it.`;
}

/**
 * The retrievals that flags ask for: all that can be had here without `--by`, by the default encoder and every reranker
 * without `--name`.
 *
 * @param by in the order of the table
 * @param names of encoders and rerankers, each of which is tried
 * @throws UsageError for a name that nothing here has, for one that none of the methods uses, and for rerankers where there
 *   are none
 */
function wantedRetrievals(
  by: readonly Retriever[],
  names: readonly string[],
  options: Pick<Retrieval, 'budget' | 'seed'>,
  { engine: { encoders, rerankers, defaultEncoder } }: Pick<RetrievalDeps, 'engine'>,
): Retrieval[] {
  const methods = by.length > 0 ? by : RETRIEVERS.filter((each) => each !== 'reranker' || rerankers.size > 0);
  if (methods.includes('reranker') && rerankers.size === 0) {
    throw new UsageError('--by reranker: there is no reranker here; TESSERA_ENCODERS can name some.');
  }
  for (const name of names) {
    const user = encoders.has(name) ? 'embedding' : 'reranker';
    if (user === 'reranker' && !rerankers.has(name)) {
      const there = [...encoders.keys(), ...rerankers.keys()].map((each) => `"${each}"`).join(', ');
      throw new UsageError(`--name: there is no encoder or reranker "${name}" here; there is ${there}.`);
    }
    if (!methods.includes(user)) throw new UsageError(`--name ${name} is for --by ${user}, which is not asked for.`);
  }
  const chosen = (known: ReadonlyMap<string, unknown>, otherwise: readonly string[]) => {
    const own = names.filter((name) => known.has(name));
    return own.length > 0 ? own : otherwise;
  };
  const tried: Partial<Record<Retriever, readonly string[]>> = {
    embedding: chosen(encoders, [defaultEncoder]),
    reranker: chosen(rerankers, [...rerankers.keys()]),
  };
  return methods.flatMap(
    (method): Retrieval[] =>
      tried[method]?.map((name) => ({ by: method, name, ...options })) ?? [{ by: method, ...options }],
  );
}
