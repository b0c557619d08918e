import { createCalls } from './calls.ts';
import { type DigestsClient, digestsClient } from './digests.ts';
import { createResources, type Resources } from './resources.ts';
import { type ClientOptions, readSettings } from './settings.ts';
import { type TablesClient, tablesClient } from './tables.ts';
import { createTransport } from './transport.ts';

export type { Listing, Page } from './calls.ts';
export type { ListDigestsOptions, WaitOptions } from './digests.ts';
export * from './errors.ts';
export type { ListWebhooksOptions, PutOptions, ReadExperimentOptions, ResultsOptions } from './resources.ts';
export type { ClientOptions, Fetch } from './settings.ts';
export * from './types.ts';

/** The service, as a program calls it. */
export interface Client extends Resources {
  readonly digests: DigestsClient;
  readonly tables: TablesClient;
}

/**
 * Creates a client of the service. It needs only `fetch` and other globals that every web runtime has.
 *
 * Calls reject with a TesseraClientError, or with the reason of the caller's signal. What may pass (a broken connection, 408, 429,
 * 500, 502, 503, 504) is retried; a POST keeps its idempotency key over all attempts.
 *
 * @throws TypeError for options that can never work
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(readSettings(options));
  const calls = createCalls(transport);
  return {
    digests: digestsClient(transport, calls),
    tables: tablesClient(transport, calls),
    ...createResources(transport, calls),
  };
}
