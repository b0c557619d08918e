import type { SourceDocument } from '../../text/documents/document.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { canonicalDocuments } from './canonical-documents.ts';
import { randomOfCase } from './random-of-case.ts';
import { DEFAULT_RETRIEVAL_SEED, type Retrieval } from './retrieval.ts';
import { amountsOf } from './score-documents.ts';

/**
 * Documents in the order in which a system is given them. `top` and `bottom` put those that matter most first and last, and
 * those that matter alike as they are given (Laban et al. 2024, section 5).
 *
 * @param documents the best first, maybe cut
 * @throws NotRetrievableError where the order is by what matters, and the case does not know it
 */
export function orderDocuments(
  documents: readonly SourceDocument[],
  { documents: given }: Collection,
  benchmarkCase: BenchmarkCase,
  { order = 'given', seed = DEFAULT_RETRIEVAL_SEED }: Retrieval,
): SourceDocument[] {
  if (order === 'ranked') return [...documents];
  if (order === 'random') {
    const random = randomOfCase(seed, benchmarkCase.id, 'order');
    return sorted(documents, new Map(canonicalDocuments(given).map(({ id }) => [id, random()])));
  }
  const asGiven = sorted(documents, new Map(given.map(({ id }, place) => [id, place])));
  if (order === 'given') return asGiven;
  const amounts = amountsOf(benchmarkCase, `so that its documents cannot be put at the "${order}"`);
  const sign = order === 'top' ? -1 : 1;
  return sorted(asGiven, new Map(asGiven.map(({ id }) => [id, sign * (amounts.get(id) ?? 0)])));
}

/** @param keys by id, the least first */
function sorted(documents: readonly SourceDocument[], keys: ReadonlyMap<string, number>): SourceDocument[] {
  return documents.toSorted((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
}
