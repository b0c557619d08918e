import type { MessagePort } from 'node:worker_threads';
import { callHost, type Settled, settle } from '../../digest/index.ts';
import { evaluate, resolveRequest } from '../evaluate.ts';
import type { EvaluationAnswer, EvaluationOrder } from '../metrics.ts';
import { type DepsFacts, hostedDeps, hostedDigests } from './host.ts';

export interface EvaluationTask {
  readonly order: EvaluationOrder;
  readonly known: DepsFacts;
  readonly hasDigests: boolean;
  readonly port: MessagePort;
}

/** Evaluates in a thread, which piscina calls. */
export default async function evaluateHere(task: EvaluationTask): Promise<Settled<EvaluationAnswer>> {
  const { order, known, hasDigests, port } = task;
  const call = callHost(port);
  try {
    return await settle(async () => {
      const request = await resolveRequest(order, hasDigests ? hostedDigests(call) : undefined);
      return evaluate(request, hostedDeps(known, call));
    });
  } finally {
    port.close();
  }
}
