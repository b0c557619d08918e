import { UnusableOptionError } from '../../digest/index.ts';
import type { Encoder, Reranker } from '../../models/index.ts';
import type { Retrieval, RetrievalDeps } from './retrieval.ts';

/**
 * What a retrieval asks of any case.
 *
 * @throws UnusableOptionError that names the field, for an encoder or reranker that is not here, and for what makes no
 *   sense together
 */
export function checkRetrieval(retrieval: Retrieval, deps: Pick<RetrievalDeps, 'engine'>): void {
  const { by, name, budget, order } = retrieval;
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget > 0)) {
    throw new UnusableOptionError('/budget', `A budget is a whole number of tokens from 1, not ${budget}.`);
  }
  if (by === 'full' && order === 'ranked') {
    throw new UnusableOptionError('/order', 'Retrieval by "full" ranks nothing, so that its order cannot be "ranked".');
  }
  if (by === 'embedding') retrievalEncoder(retrieval, deps);
  else if (by === 'reranker') retrievalReranker(retrieval, deps);
  else if (name !== undefined) {
    throw new UnusableOptionError(
      '/name',
      `Retrieval by "${by}" uses neither encoder nor reranker, yet names "${name}".`,
    );
  }
}

/** @throws UnusableOptionError where there is no such encoder */
export function retrievalEncoder({ name }: Retrieval, { engine }: Pick<RetrievalDeps, 'engine'>): Encoder {
  const wanted = name ?? engine.defaultEncoder;
  const encoder = engine.encoders.get(wanted);
  if (encoder !== undefined) return encoder;
  throw new UnusableOptionError('/name', `There is no encoder "${wanted}" here; there is ${listed(engine.encoders)}.`);
}

/** @throws UnusableOptionError where there is no such reranker, or none is named and there is not just one */
export function retrievalReranker({ name }: Retrieval, { engine }: Pick<RetrievalDeps, 'engine'>): Reranker {
  const { rerankers } = engine;
  const reranker = name === undefined ? [...rerankers.values()][0] : rerankers.get(name);
  if (rerankers.size === 0) {
    throw new UnusableOptionError('/by', 'There is no reranker here: TESSERA_ENCODERS can name some.');
  }
  if (name === undefined && rerankers.size > 1) {
    throw new UnusableOptionError('/name', `Say which reranker; there is ${listed(rerankers)}.`);
  }
  if (reranker !== undefined) return reranker;
  throw new UnusableOptionError('/name', `There is no reranker "${name}" here; there is ${listed(rerankers)}.`);
}

function listed(named: ReadonlyMap<string, unknown>): string {
  return [...named.keys()].map((each) => `"${each}"`).join(' and ');
}
