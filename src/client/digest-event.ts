import { DigestCancelledError, DigestFailedError, UnexpectedAnswerError } from './errors.ts';
import type { RawEvent } from './parse-events.ts';
import { type Digest, type DigestEvent, type DigestState, isFinished } from './types.ts';

/** Events that are told; later versions of the service may tell others, which are passed over. */
const TOLD: readonly string[] = ['accepted', 'progress', 'sentence', 'digest'] satisfies DigestEvent['event'][];

/**
 * What an event of a stream tells; null for a kind that is not known here.
 *
 * @throws DigestFailedError, DigestCancelledError for the end of a digest that is none
 * @throws UnexpectedAnswerError for what is not JSON
 */
export function digestEvent(
  { event, data: text }: RawEvent,
  id: number | null,
  digest: string | null,
): DigestEvent | null {
  const isEnd = event === 'error' || event === 'cancelled';
  if (!isEnd && !TOLD.includes(event)) return null;
  const data = readData(event, text);
  if (event === 'error') throw new DigestFailedError(digest, data);
  if (event === 'cancelled') throw new DigestCancelledError(digest);
  return { event, id, data } as DigestEvent;
}

/**
 * The digest of an answer; null while it is under way.
 *
 * @throws DigestFailedError, DigestCancelledError where there will be none
 */
export function finishedDigest(state: DigestState): Digest | null {
  if (isFinished(state)) return state;
  if (state.status === 'failed') throw new DigestFailedError(state.id, state.error ?? null);
  if (state.status === 'cancelled') throw new DigestCancelledError(state.id);
  return null;
}

/** The JSON of an event, which is as its name says. */
function readData(event: string, text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(`The data of an event "${event}" is not JSON`);
  }
}
