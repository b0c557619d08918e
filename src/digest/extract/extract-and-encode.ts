import { type EncodedTexts, type Encoder, encodeWhole, textsUnderWay, type WorkCache } from '../../models/index.ts';
import { type SentenceChecker, sentenceChecker } from '../../summary/index.ts';
import { nextTurn } from '../../text/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import { LimitExceededError } from '../limit-exceeded-error.ts';
import type { DigestPlan } from '../plan-digest.ts';
import type { Query } from '../rank/intent.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { NaivePipeline } from '../write/naive-pipeline.ts';
import type { ExtractionOutcome } from './extractor.ts';
import { encodedText, type Point, pointsOf } from './points.ts';
import { type OnDocument, type ReadDocuments, readDocuments } from './read-documents.ts';

/** What the documents state, and its vectors. */
export interface EncodedPoints {
  readonly read: ReadDocuments;
  /** In canonical order. */
  readonly points: readonly Point[];
  readonly encoded: EncodedTexts;
}

/**
 * Documents to key points, encoded for the kernel: what one document states is encoded while the next is read.
 *
 * @throws LimitExceededError where there are more than this service reckons with
 */
export async function extractAndEncode(
  plan: DigestPlan,
  query: Query,
  naive: NaivePipeline | null,
  deps: DigestDeps,
  clock: Stopwatch,
  progress: { readonly extract: OnDocument; readonly encode: OnDocument },
): Promise<EncodedPoints> {
  const { cache, maxPoints = Number.POSITIVE_INFINITY } = deps;
  const underWay = textsUnderWay(plan.options.kernelEncoder, cache);
  let found = 0;
  const encodeAhead = ({ keyPoints }: ExtractionOutcome, isKept: boolean): void => {
    found += keyPoints.length;
    if (found <= maxPoints) underWay.add(keyPoints.map(encodedText), isKept);
    else underWay.stop();
  };
  try {
    const read = await clock.time('extract', () =>
      naive === null
        ? readDocuments(plan.request.documents, query, plan.extractor, deps, progress.extract, encodeAhead)
        : naive.read(query, progress.extract),
    );
    return await clock.time('encode', async () => {
      const points = pointsOf(read);
      if (points.length > maxPoints) {
        const most = `at most ${maxPoints} go into a digest`;
        throw new LimitExceededError('/documents', `hold ${points.length} key points together; ${most}`);
      }
      await nextTurn();
      const encoded = await underWay.finish(points.map(encodedText), (done, total) =>
        progress.encode(done, total, null),
      );
      return { read, points, encoded };
    });
  } catch (failure) {
    underWay.stop();
    throw failure;
  }
}

/** A checker of sentences about these texts, whose vectors come from the store. */
export function checkerOver(reference: readonly string[], encoder: Encoder, cache: WorkCache): SentenceChecker {
  const encode = (texts: readonly string[]) => encodeWhole(encoder, cache, texts);
  return sentenceChecker({ encode, profile: encoder.profile, reference });
}
