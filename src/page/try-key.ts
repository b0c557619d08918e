import {
  AuthenticationError,
  ConnectionError,
  createClient,
  OverloadedError,
  ServerError,
  TimeoutError,
} from '../client/client.ts';

/** What the service says of a key: it takes it, it does not, or it could not be asked. */
export type KeyVerdict = 'right' | 'wrong' | 'unasked';

/** Tries a key with a cheap call. One that may do less than this is right too. */
export async function tryKey(baseUrl: string, apiKey: string): Promise<KeyVerdict> {
  // What cannot be sent as a key is none.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return 'wrong';
  const { digests } = createClient({ baseUrl, apiKey, maxRetries: 1, timeoutMilliseconds: 20_000 });
  try {
    for await (const _ of digests.list({ limit: 1 }).pages()) break;
    return 'right';
  } catch (failure) {
    if (failure instanceof AuthenticationError) return 'wrong';
    const kinds = [ConnectionError, TimeoutError, OverloadedError, ServerError];
    return kinds.some((kind) => failure instanceof kind) ? 'unasked' : 'right';
  }
}
