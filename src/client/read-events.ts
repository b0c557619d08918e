import { startDeadline, unlessAborted } from './deadline.ts';
import { ConnectionError } from './errors.ts';
import { eventParser, type RawEvent } from './parse-events.ts';

/** The service writes a comment every 15 seconds; a connection that tells nothing for so many milliseconds is dead. */
const SILENCE = 60_000;

/**
 * The events of an answer, as they come, until the connection ends. It is closed when the reader stops.
 *
 * @throws ConnectionError where the connection breaks or falls silent, and the reason of an aborted signal
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
      const chunk = await nextChunk(reader, signal);
      if (chunk === null) return;
      yield* parse(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    // Not waited for: a broken stream may never say that it is closed.
    reader.cancel().catch(() => {});
  }
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  const silence = startDeadline(SILENCE, () => new ConnectionError('The stream of events fell silent'), signal);
  try {
    const { done, value } = await unlessAborted(reader.read(), silence.signal);
    return done ? null : value;
  } catch {
    if (silence.signal.aborted) throw silence.signal.reason;
    throw new ConnectionError('The stream of events broke');
  } finally {
    silence.end();
  }
}
