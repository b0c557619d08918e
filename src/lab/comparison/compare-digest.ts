import { type DigestDeps, type DigestPlan, makeDigest, newDigestId } from '../../digest/index.ts';
import { addUsage, type CallUsage } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import type { Datum } from './datum.ts';
import { figuresOfDigest } from './figures-of-digest.ts';
import type { Figures } from './metrics.ts';
import { scoreDigest } from './score-digest.ts';
import { UnreadDatumError } from './unread-datum-error.ts';

/** What is kept of a digest of a comparison. */
export interface ComparedDigest {
  readonly figures: Figures;
  /** Words of each sentence of the summary, framing with them, in order. */
  readonly sentenceWords: readonly number[];
  /** Whether something of it failed, so that another run may do better. */
  readonly isPartial: boolean;
  /** Of the digest and of what judged it. */
  readonly usage: CallUsage;
}

/**
 * Makes one digest of a comparison and scores it. The digest itself is not stored; texts, key points and vectors are, so
 * that the other arms find them.
 *
 * @throws UnreadDatumError where none of the documents could be read; TesseraError where the digest cannot be made or scored
 */
export async function compareDigest(
  plan: DigestPlan,
  datum: Datum,
  deps: DigestDeps,
  signal?: AbortSignal,
): Promise<ComparedDigest> {
  const { digest } = await makeDigest(plan, deps, { id: newDigestId() });
  if (digest.status === 'failed') throw new UnreadDatumError();
  const scores = await scoreDigest(digest, datum, deps, signal);
  return {
    figures: figuresOfDigest(digest, scores),
    sentenceWords: digest.summary.sentences.map(({ text }) => countWords(text)),
    isPartial: digest.status === 'partial',
    usage: scores.map(({ usage }) => usage).reduce<CallUsage>(addUsage, digest.usage),
  };
}
