import type { Digest } from '../../contract/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import {
  type CitedBullet,
  type EvaluationAnswer,
  type EvaluationRequest,
  evaluate,
  requestsFor,
} from '../../evaluation/index.ts';
import type { Datum } from './datum.ts';

/** What judges: it needs no key and says the same tomorrow. */
export const COMPARISON_JUDGE = { judge: 'embedded' } as const;

/** Scores a digest against what its datum knows. */
export async function scoreDigest(
  digest: Digest,
  datum: Datum,
  deps: DigestDeps,
  signal?: AbortSignal,
): Promise<EvaluationAnswer[]> {
  const answers: EvaluationAnswer[] = [];
  for (const request of requestsOf(digest, datum)) {
    answers.push(await evaluate({ ...request, ...COMPARISON_JUDGE }, deps, { signal }));
  }
  return answers;
}

function requestsOf(digest: Digest, { documents, insights, questions, intent }: Datum): EvaluationRequest[] {
  const asked = typeof intent === 'object' ? intent.problem : intent;
  return requestsFor({
    sentences: bulletsOf(digest),
    documents,
    given: documents.map(({ id }) => id),
    intent: asked === '' ? undefined : asked,
    insights,
    questions,
  });
}

/** The sentences without the framing, with the documents that each cites. */
function bulletsOf({ summary }: Digest): CitedBullet[] {
  return summary.sentences
    .filter(({ framing }) => !framing)
    .map(({ text, citations }) => ({ text, documents: [...new Set(citations.map(({ document }) => document))] }));
}
