import { setTimeout as pause } from 'node:timers/promises';
import type { ResolvedRequest } from '../../../src/digest/index.ts';

/** Where the service is now, and whether it is there at all. */
export interface Place {
  url: string;
}

/** A digest that a client wants, and what it knows of it. */
export interface Posted {
  readonly request: ResolvedRequest & { readonly intent: string };
  readonly key: string | null;
  /** Once it was accepted. */
  id: string | null;
  /** Posts that met nobody. */
  refused: number;
  /** Posts that broke off: nobody knows what became of them. */
  broken: number;
  /** Posts that came while another of the same key seemed under way. */
  inFlight: number;
}

const PLACES = ['the harbour', 'the old town', 'the university', 'the hospital', 'the stadium'];
const SHARED = {
  id: 'operator',
  title: 'Report of the operator',
  text: 'The operator carried nine million passengers last year. Forty new drivers are needed before autumn. Every third tram was late in winter.',
};

/** Small texts that no other digest has, and one that all have. */
export function smallRequest(n: number): Posted['request'] {
  const place = PLACES[n % PLACES.length];
  const notes = `Tram line ${n} will connect the station with ${place} in ${2030 + n}. It costs ${n + 3} million euros. Residents of ${place} ask for stop ${n} to be moved.`;
  const letter = `Shopkeepers near stop ${n} fear noise at night. The council promised them ${n + 5} quiet rails. A second letter about line ${n} came in May.`;
  return {
    documents: [{ id: `notes-${n}`, text: notes }, { id: `letter-${n}`, text: letter }, SHARED],
    intent: `What will tram line ${n} change for the people near stop ${n}?`,
  };
}

/** Posts a digest again and again until it is accepted; without a key, one that broke off may have made another. */
export async function postUntilAccepted(posted: Posted, callbackUrl: string, place: Place, signal: AbortSignal) {
  const body = JSON.stringify({ ...posted.request, callbackUrl });
  while (posted.id === null) {
    signal.throwIfAborted();
    const answer = await post(place.url, body, posted.key, signal);
    if (answer === 'refused') posted.refused++;
    else if (answer === 'broken') posted.broken++;
    else if (answer.status === 409 && posted.key !== null) posted.inFlight++;
    // 201 where the digest of a broken post is there already.
    else if (answer.status === 202 || (answer.status === 201 && posted.broken > 0)) posted.id = String(answer.json.id);
    else throw new Error(`a post was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
    if (posted.id === null) await pause(150, undefined, { signal });
  }
}

/** Posts a digest once. */
export async function post(url: string, body: string, key: string | null, signal: AbortSignal) {
  try {
    const response = await fetch(`${url}/v1/digests`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        prefer: 'respond-async',
        ...(key !== null && { 'idempotency-key': key }),
      },
      body,
      signal,
    });
    return { status: response.status, headers: response.headers, json: Object(await response.json()) };
  } catch (failure) {
    signal.throwIfAborted();
    return isRefused(failure) ? 'refused' : 'broken';
  }
}

function isRefused(failure: unknown): boolean {
  const cause = failure instanceof Error ? failure.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
