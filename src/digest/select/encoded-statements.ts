import { type Encoder, encodedTokens, type WorkCache } from '../../models/index.ts';
import type { EncodedStatement } from './selection-task.ts';

const NO_TOKENS = { tokens: new Int8Array(0), tokenIds: new Int32Array(0) };

/**
 * Texts that are encoded already, as a kernel compares them: their token vectors are read only where it does so by tokens.
 *
 * @param sentences sentence vector of each
 */
export async function encodedStatements(
  { texts, sentences }: { readonly texts: readonly string[]; readonly sentences: readonly Float32Array[] },
  similarity: 'bertscore' | 'cosine',
  encoder: Encoder,
  cache: WorkCache,
): Promise<EncodedStatement[]> {
  const tokens = similarity === 'cosine' ? null : await encodedTokens(encoder, cache, texts);
  // A view of a buffer would take the vectors of others along to another thread.
  return sentences.map((sentence, i) => ({ ...(tokens?.[i] ?? NO_TOKENS), sentence: sentence.slice() }));
}
