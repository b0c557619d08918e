import type { CitedBullet, Digest, EvaluationAnswer, EvaluationRequest } from '../../contract/index.ts';
import type { DigestParts } from '../../digest/index.ts';
import { evaluate } from '../../evaluation/index.ts';
import type { Datum } from './datum.ts';

/** What judges: it needs no key and says the same tomorrow. */
export const COMPARISON_JUDGE = { judge: 'embedded' } as const;

/** Scores a digest against what its datum knows: SummHay with insights, source coverage with questions. */
export async function scoreDigest(
  digest: Digest,
  datum: Datum,
  parts: DigestParts,
  signal?: AbortSignal,
): Promise<EvaluationAnswer[]> {
  const answers: EvaluationAnswer[] = [];
  for (const request of requestsOf(digest, datum)) {
    answers.push(await evaluate({ ...request, ...COMPARISON_JUDGE }, parts, { signal }));
  }
  return answers;
}

function requestsOf(digest: Digest, { documents, insights, questions, intent }: Datum): EvaluationRequest[] {
  const bullets = bulletsOf(digest);
  const ids = documents.map(({ id }) => id);
  const asked = typeof intent === 'object' ? intent.problem : intent;
  return [
    ...(insights === undefined ? [] : [{ metric: 'summhay' as const, bullets, insights, documents: ids }]),
    ...(questions === undefined
      ? []
      : [
          {
            metric: 'source-coverage' as const,
            summary: bullets.map(({ text }) => text).join('\n\n'),
            documents: ids,
            questions,
            intent: asked === '' ? undefined : asked,
          },
        ]),
  ];
}

/** The sentences without the framing, with the documents that each cites. */
function bulletsOf({ summary }: Digest): CitedBullet[] {
  return summary.sentences
    .filter(({ framing }) => !framing)
    .map(({ text, citations }) => ({ text, documents: [...new Set(citations.map(({ document }) => document))] }));
}
