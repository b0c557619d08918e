import type { Calls } from './calls.ts';
import { streamWork } from './stream-events.ts';
import type { Transport } from './transport.ts';
import type { CallOptions, PostOptions, Table, TableEvent, TableInput } from './types.ts';

const PATH = '/v1/tables';

export type TablesClient = ReturnType<typeof tablesClient>;

/** Tables: a row per document, a column per question. They are not stored. */
export function tablesClient(transport: Transport, { post }: Calls) {
  return {
    make: async (request: TableInput, options?: PostOptions): Promise<Table> => post(PATH, request, options),
    /**
     * Makes a table and streams its cells; `table` is the last event. Leaving the loop ends the work.
     *
     * @throws the error of the problem's status if the table fails, ConnectionError if the stream breaks
     */
    stream: (request: TableInput, { signal }: CallOptions = {}): AsyncIterable<TableEvent> =>
      streamWork<TableEvent>(transport, { path: PATH, body: request, signal }, ['progress', 'cell', 'table']),
  };
}
