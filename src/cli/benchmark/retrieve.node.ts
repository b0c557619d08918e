import {
  asksSomething,
  compareRetrievers,
  DEFAULT_BUDGET,
  DEFAULT_RETRIEVAL_SEED,
  needsIntent,
  printRetrievers,
  RETRIEVERS,
  type Retrieval,
  type RetrievalDeps,
  type Retriever,
  scorableCases,
} from '../../lab/index.ts';
import { one, UsageError } from '../command.node.ts';
import { JSON_FLAG, SAMPLE_FLAGS } from '../flags.ts';
import { countingLine, INTERRUPTED } from '../progress.ts';
import { benchmarkCommand } from './command.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

export const retrieveCommand = benchmarkCommand({
  summary: 'Score retrievers alone: how much of what matters they find.',
  usage: 'SET',
  flags: {
    by: { type: 'string', multiple: true, value: 'NAME', about: `any of ${RETRIEVERS.join(', ')}; all by default` },
    name: { type: 'string', multiple: true, value: 'NAME', about: 'encoder or reranker; may be repeated' },
    budget: { type: 'string', value: 'N', about: `tokens of the documents taken; default ${DEFAULT_BUDGET}` },
    seed: SAMPLE_FLAGS.seed,
    ...JSON_FLAG,
  },
  examples: ['tessera benchmark retrieve set.json --by bm25 --budget 1000'],
  takes: one('a file that holds a benchmark set'),
  async run(values, [path], service, { stdout, stderr }, signal) {
    const unknown = values.by?.find((each) => !RETRIEVERS.some((known) => known === each));
    if (unknown !== undefined) throw new UsageError(`--by is one of ${RETRIEVERS.join(', ')}, not "${unknown}".`);
    const budget = wholeNumber('--budget', values.budget, DEFAULT_BUDGET);
    const seed = wholeNumber('--seed', values.seed, DEFAULT_RETRIEVAL_SEED, 0);
    const set = readSet(path);
    const deps = await service();
    const by = RETRIEVERS.filter((each) => values.by?.includes(each));
    const wanted = wantedRetrievals(by, [...new Set(values.name)], { budget, seed }, deps);
    const isAsked = by.length > 0 || set.cases.some(asksSomething);
    const retrievals = wanted.filter((each) => isAsked || !needsIntent(each.by));

    const cases = scorableCases(set, retrievals);
    if (cases.length === 0) throw new UsageError(`${path} holds no case ${scorable(retrievals)}.`);
    const left = set.cases.length - cases.length;
    if (left > 0)
      stderr.write(`${left} of ${set.cases.length} cases are left out: a case is scored ${scorable(retrievals)}.\n`);
    const line = countingLine(stderr, 'retrieving');
    const total = cases.length * retrievals.length;
    const onScored = (done: number) => line.notify(done, total, '');
    const reports = await compareRetrievers(set, cases, retrievals, deps, onScored, signal).finally(line.end);
    if (reports === null) {
      stderr.write('Stopped. What is encoded and scored by rerankers is kept.\n');
      return INTERRUPTED;
    }
    if (values.json === true) writeJson(undefined, { set: set.name, budget, seed, retrievers: reports }, stdout);
    else stdout.write(`${printRetrievers(reports)}\n${legend(cases.length, budget)}\n`);
    return 0;
  },
});

function scorable(retrievals: readonly Retrieval[]): string {
  const needing = retrievals.find(({ by }) => needsIntent(by));
  const intent = needing === undefined ? '' : `, and that has an intent, as retrieval by "${needing.by}" needs`;
  return `that knows which documents matter (by insights, relevant questions, passages, nuggets or key points)${intent}`;
}

function legend(cases: number, budget: number): string {
  return `
Means over ${cases} ${cases === 1 ? 'case' : 'cases'}, within ${budget} tokens (bytes / 4; "full" has no budget).
recall: share of the documents that matter which are taken; weighted: each by how much of what is asked for it holds;
precision: share of the documents taken that matter. A document that is cut counts by what is left of it.`;
}

/**
 * @param by in the order of the table; all that are there if empty
 * @throws UsageError for an unknown or unused name, and for rerankers if there are none
 */
function wantedRetrievals(
  by: readonly Retriever[],
  names: readonly string[],
  options: Pick<Retrieval, 'budget' | 'seed'>,
  { engine: { encoders, rerankers, defaultEncoder } }: RetrievalDeps,
): Retrieval[] {
  if (by.includes('reranker') && rerankers.size === 0) {
    throw new UsageError('--by reranker: there is no reranker here; TESSERA_ENCODERS can name some.');
  }
  const methods = RETRIEVERS.filter((each) => by.length === 0 || by.includes(each));
  const there: Partial<Record<Retriever, readonly string[]>> = {
    embedding: [...encoders.keys()],
    reranker: [...rerankers.keys()],
  };
  for (const name of names) {
    const user = (['embedding', 'reranker'] as const).find((each) => there[each]?.includes(name));
    if (user === undefined) {
      const known = [...encoders.keys(), ...rerankers.keys()].map((each) => `"${each}"`).join(', ');
      throw new UsageError(`--name: there is no encoder or reranker "${name}" here; there is ${known}.`);
    }
    if (!methods.includes(user)) throw new UsageError(`--name ${name} is for --by ${user}, which is not asked for.`);
  }
  return methods.flatMap((method): Retrieval[] => {
    const known = there[method];
    if (known === undefined) return [{ by: method, ...options }];
    const own = names.filter((name) => known.includes(name));
    const otherwise = method === 'embedding' ? [defaultEncoder] : known;
    return (own.length > 0 ? own : otherwise).map((name) => ({ by: method, name, ...options }));
  });
}
