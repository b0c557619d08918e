import { contentHash } from '../../text/documents/content-hash.ts';
import type { Reranker } from '../../models/encoders/reranker.ts';
import type { Database } from '../../store/database.ts';
import { readJudgements, saveJudgements } from '../../store/judgements.ts';

const KIND = 'benchmark-relevance';

/**
 * What a reranker makes of each text, which it is given whole. Scores are kept in the store: several systems are given the
 * same documents, and none of them is to pay again or be given others.
 *
 * @returns one value per text
 * @throws ModelCallError where the endpoint fails for good
 */
export async function rerankerScores(
  query: string,
  texts: readonly string[],
  reranker: Reranker,
  database: Database,
): Promise<Float64Array> {
  const keys = texts.map((text) => contentHash(JSON.stringify([KIND, reranker.profile.id, query, contentHash(text)])));
  const verdicts = await readJudgements(database, [...new Set(keys)]);
  // Only this function writes under keys of this kind.
  const known = new Map([...verdicts].map(([key, verdict]) => [key, JSON.parse(verdict) as number]));
  const missing = new Map(texts.flatMap((text, i) => (known.has(keys[i]) ? [] : [[keys[i], text] as const])));
  if (missing.size > 0) {
    const scores = await reranker.score(query, [...missing.values()]);
    const rows = [...missing.keys()].map((key, i) => ({ key, kind: KIND, verdict: JSON.stringify(scores[i]) }));
    await saveJudgements(database, rows);
    for (const [i, key] of [...missing.keys()].entries()) known.set(key, scores[i]);
  }
  return Float64Array.from(keys, (key) => known.get(key) ?? unscored(reranker));
}

function unscored({ profile }: Reranker): never {
  throw new Error(`${profile.id} gave fewer scores than it was given texts`);
}
