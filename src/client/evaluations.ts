import type { Transport } from './transport.ts';
import type { Evaluation, EvaluationInput, Metric, PostOptions } from './types.ts';

/** Scores of digests, the service's own or another's. */
export interface EvaluationsClient {
  /** Scores by the measure that the request names. */
  create<Measure extends Metric>(
    request: { readonly metric: Measure } & EvaluationInput<Measure>,
    options?: PostOptions,
  ): Promise<Evaluation<Measure>>;
}

export function evaluationsClient({ send }: Transport): EvaluationsClient {
  return {
    async create<Measure extends Metric>(body: EvaluationInput<Measure>, { signal, idempotencyKey }: PostOptions = {}) {
      const path = '/v1/evaluations';
      return (await send<Evaluation<Measure>>({ method: 'POST', path, body, signal, idempotencyKey })).body;
    },
  };
}
