import { threadId } from 'node:worker_threads';
import { inHostedThread } from '../../digest/index.ts';
import { evaluate as evaluateHere, type ReadEvaluatedDigest, resolveRequest } from '../evaluate.ts';
import type { EvaluationOrder } from '../metrics.ts';

export const evaluate = inHostedThread(threadId, async (deps, call, order: EvaluationOrder, hasDigests: boolean) => {
  const readDigest: ReadEvaluatedDigest = async (id) => ({
    ...(await call('digest', [id])),
    texts: () => call('digestTexts', [id]),
  });
  return evaluateHere(await resolveRequest(order, hasDigests ? readDigest : undefined), deps);
});
