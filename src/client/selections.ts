import type { Transport } from './transport.ts';
import type { DrawsAnswer, PostOptions, SelectionsAnswer, SelectionsRequest } from './types.ts';

/** Selections among an app's own items, or among the points of a digest. */
export interface SelectionsClient {
  /** Draws sets. */
  create(request: SelectionsRequest & { readonly draws: number }, options?: PostOptions): Promise<DrawsAnswer>;
  /** Selects one. */
  create(request: SelectionsRequest & { readonly draws?: undefined }, options?: PostOptions): Promise<SelectionsAnswer>;
  create(request: SelectionsRequest, options?: PostOptions): Promise<SelectionsAnswer | DrawsAnswer>;
}

export function selectionsClient({ send }: Transport): SelectionsClient {
  // Which of the two is answered is told by the request's type.
  async function create<Answered extends SelectionsAnswer & DrawsAnswer>(
    body: SelectionsRequest,
    { signal, idempotencyKey: given }: PostOptions = {},
  ): Promise<Answered> {
    // Selecting from a digest anew makes nothing, and may be asked at every move of a slider: no answer need be kept for a day.
    const idempotencyKey = given ?? (body.digest === undefined ? undefined : null);
    return (await send<Answered>({ method: 'POST', path: '/v1/selections', body, signal, idempotencyKey })).body;
  }
  return { create };
}
