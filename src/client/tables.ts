import type { Calls } from './calls.ts';
import { readEvents, STREAM } from './digests.ts';
import { ConnectionError, ServerError, UnexpectedAnswerError } from './errors.ts';
import { parseJson, type Transport } from './transport.ts';
import type { CallOptions, PostOptions, Table, TableEvent, TableInput } from './types.ts';

const PATH = '/v1/tables';
const TOLD: readonly string[] = ['progress', 'cell', 'table'] satisfies TableEvent['event'][];

async function* streamTable(
  { open }: Transport,
  body: TableInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableEvent, void, undefined> {
  // A table is not stored, so a stream that broke cannot be resumed.
  const asked = {
    method: 'POST',
    path: PATH,
    body,
    signal,
    idempotencyKey: null,
    headers: { accept: STREAM },
  } as const;
  for await (const { event, data: text } of readEvents(await open(asked), signal)) {
    const data = parseJson(text);
    if (data === undefined) throw new UnexpectedAnswerError(`The data of an event "${event}" is not JSON`);
    if (event === 'error') {
      const why = data?.detail ?? 'no reason was given';
      throw new ServerError(`The table could not be made: ${why}`, { status: data?.status ?? null, problem: data });
    }
    if (!TOLD.includes(event)) continue;
    yield { event, data } as TableEvent; // the service says which data belongs to which event
    if (event === 'table') return;
  }
  throw new ConnectionError('The stream of the table broke off');
}

export type TablesClient = ReturnType<typeof tablesClient>;

/** Tables: a row per document, a column per question. They are not stored. */
export function tablesClient(transport: Transport, { post }: Calls) {
  return {
    make: async (request: TableInput, options?: PostOptions): Promise<Table> => post(PATH, request, options),
    /**
     * Makes a table and streams its cells; `table` is the last event. Leaving the loop ends the work.
     *
     * @throws ServerError if the table fails, ConnectionError if the stream breaks
     */
    stream: (request: TableInput, { signal }: CallOptions = {}): AsyncIterable<TableEvent> =>
      streamTable(transport, request, signal),
  };
}
