import {
  RETRIEVERS,
  type Retrieval,
  type RetrievalParts,
  type Retriever,
} from '../retrieval/retrieval.ts';
import { UsageError } from '../cli/usage-error.ts';

/**
 * The retrievals that flags ask for: all that can be had here without `--by`, by the default encoder and every reranker
 * without `--name`.
 *
 * @param by in the order of the table
 * @param names of encoders and rerankers, each of which is tried
 * @throws UsageError for a name that nothing here has, for one that none of the methods uses, and for rerankers where there
 *   are none
 */
export function wantedRetrievals(
  by: readonly Retriever[],
  names: readonly string[],
  options: Pick<Retrieval, 'budget' | 'seed'>,
  { engine: { encoders, rerankers, defaultEncoder } }: Pick<RetrievalParts, 'engine'>,
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
