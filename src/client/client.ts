import { type CollectionsClient, collectionsClient } from './collections.ts';
import { type DigestsClient, digestsClient } from './digests.ts';
import { type EvaluationsClient, evaluationsClient } from './evaluations.ts';
import { type ExperimentsClient, experimentsClient } from './experiments.ts';
import { type SelectionsClient, selectionsClient } from './selections.ts';
import { type ClientOptions, readSettings } from './settings.ts';
import { createTransport } from './transport.ts';
import type { KeyPoints, KeyPointsInput, PostOptions } from './types.ts';
import { type WebhooksClient, webhooksClient } from './webhooks.ts';

export type { CollectionsClient } from './collections.ts';
export type { DigestsClient, ListDigestsOptions, MapOptions, WaitOptions } from './digests.ts';
export * from './errors.ts';
export type { EvaluationsClient } from './evaluations.ts';
export type { ExperimentsClient, ReadExperimentOptions, ResultsOptions } from './experiments.ts';
export type { Listing, Page } from './listing.ts';
export type { SelectionsClient } from './selections.ts';
export type { ClientOptions, Fetch } from './settings.ts';
export * from './types.ts';
export type { ListWebhooksOptions, WebhooksClient } from './webhooks.ts';

/** The service, as a program calls it. */
export interface Client {
  readonly digests: DigestsClient;
  readonly selections: SelectionsClient;
  readonly keyPoints: {
    /** Extraction alone. */
    extract(request: KeyPointsInput, options?: PostOptions): Promise<KeyPoints>;
  };
  readonly collections: CollectionsClient;
  readonly evaluations: EvaluationsClient;
  readonly experiments: ExperimentsClient;
  readonly webhooks: WebhooksClient;
}

/**
 * Makes a client of the service. It needs nothing but `fetch` and other parts that every runtime of the web has.
 *
 * Calls are rejected with a TesseraClientError, or with the reason of the caller's signal. What may pass (a broken
 * connection, 408, 429, 500, 502, 503, 504) is tried again; a POST keeps its idempotency key over all attempts.
 *
 * @throws TypeError for options that could never work
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(readSettings(options));
  return {
    digests: digestsClient(transport),
    selections: selectionsClient(transport),
    keyPoints: {
      async extract(body, { signal, idempotencyKey } = {}) {
        return (
          await transport.send<KeyPoints>({ method: 'POST', path: '/v1/key-points', body, signal, idempotencyKey })
        ).body;
      },
    },
    collections: collectionsClient(transport),
    evaluations: evaluationsClient(transport),
    experiments: experimentsClient(transport),
    webhooks: webhooksClient(transport),
  };
}
