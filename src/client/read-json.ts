import { unlessAborted } from './deadline.ts';
import { UnexpectedAnswerError } from './errors.ts';

/** An answer whose body was read. */
export interface Answer<Body> {
  readonly status: number;
  /** Undefined in fact where there is none: whoever calls knows which answers have one. */
  readonly body: Body;
}

/**
 * Reads an answer's JSON; whoever calls says what the service answers with. It is rejected as the body is where that breaks.
 *
 * @throws UnexpectedAnswerError where it is no JSON object
 */
export async function readJson<Body>(response: Response, signal: AbortSignal | undefined): Promise<Answer<Body>> {
  const { status, headers } = response;
  const text = await unlessAborted(response.text(), signal);
  const body = parse(text);
  if (status !== 204 && (typeof body !== 'object' || body === null)) {
    const facts = { status, requestId: headers.get('x-request-id') };
    throw new UnexpectedAnswerError(`The body of an answer with ${status} is not a JSON object`, facts);
  }
  return { status, body };
}

/** The value of a text; undefined where it is not JSON. */
function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
