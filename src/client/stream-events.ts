import { startDeadline, unlessAborted } from './deadline.ts';
import { ConnectionError, ServerError, UnexpectedAnswerError } from './errors.ts';
import { eventParser, type RawEvent } from './parse-events.ts';
import { type Call, errorOf, parseJson, type Transport } from './transport.ts';

export const STREAM = 'text/event-stream';
/** Milliseconds of silence after which a connection is dead: the service sends a comment every 15 seconds. */
const SILENCE = 60_000;

/**
 * The events of an answer until the connection ends. It is closed when the reader stops.
 *
 * @throws ConnectionError if the connection breaks or falls silent, and the reason of an aborted signal
 */
export async function* readEvents(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawEvent, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  const parse = eventParser();
  try {
    for (;;) {
      const silence = startDeadline(SILENCE, () => new ConnectionError('The stream of events fell silent'), signal);
      const { done, value } = await unlessAborted(reader.read(), silence.signal)
        .catch(() => {
          throw silence.signal.aborted ? silence.signal.reason : new ConnectionError('The stream of events broke');
        })
        .finally(silence.end);
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Not awaited: a broken stream may never close.
    reader.cancel().catch(() => {});
  }
}

/**
 * Posts, and streams the events of work whose result is not stored: a stream that broke cannot be resumed.
 *
 * @param told the known events; the last of them ends the stream, others are skipped
 * @throws the error of the problem's status if the work fails, ConnectionError if the stream breaks
 */
export async function* streamWork<Event extends { readonly event: string; readonly data: unknown }>(
  { open }: Transport,
  { idempotencyKey = null, ...call }: Omit<Call, 'method' | 'headers'>,
  told: readonly Event['event'][],
): AsyncGenerator<Event, void, undefined> {
  const response = await open({ ...call, method: 'POST', idempotencyKey, headers: { accept: STREAM } });
  for await (const { event, data: text } of readEvents(response, call.signal)) {
    const data = parseJson(text);
    if (data === undefined) throw new UnexpectedAnswerError(`The data of an event "${event}" is not JSON`);
    if (event === 'error') {
      const why = data?.detail ?? 'no reason was given';
      const Kind = typeof data?.status === 'number' ? errorOf(data.status) : ServerError;
      throw new Kind(`POST ${call.path} failed: ${why}`, { status: data?.status ?? null, problem: data });
    }
    if (!told.includes(event)) continue;
    yield { event, data } as Event; // the service says which data belongs to which event
    if (event === told.at(-1)) return;
  }
  throw new ConnectionError('The stream of events broke off');
}
