/** Milliseconds per attempt: after 120 seconds the service answers with the digest's address. */
export const PATIENCE = 150_000;

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Address of the service without `/v1`; may have a path. */
  readonly baseUrl: string | URL;
  readonly apiKey?: string | undefined;
  /** Default: the runtime's. */
  readonly fetch?: Fetch | undefined;
  /** Default: 3. */
  readonly maxRetries?: number | undefined;
  /**
   * Limit of one attempt. Default: 150 seconds. It limits neither a digest, which is awaited in several attempts, nor a stream
   * that has begun.
   */
  readonly timeoutMilliseconds?: number | undefined;
}

export type Settings = ReturnType<typeof readSettings>;

/**
 * Checks the options.
 *
 * @throws TypeError for invalid options; it does not repeat the key
 */
export function readSettings(options: ClientOptions) {
  const { apiKey, fetch: given, maxRetries = 3, timeoutMilliseconds = PATIENCE } = options;
  // An error about an invalid header would repeat its value.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be one or more visible ASCII characters');
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError('maxRetries must be a whole number from 0');
  if (!(timeoutMilliseconds > 0)) throw new TypeError('timeoutMilliseconds must be above 0');
  return {
    /** Without a trailing slash. */
    base: readBase(String(options.baseUrl)),
    apiKey,
    // Called as plain functions: some runtimes refuse fetch as a method of another object.
    fetch: (url: string, init: RequestInit) => (given === undefined ? globalThis.fetch(url, init) : given(url, init)),
    maxRetries,
    timeoutMilliseconds,
  };
}

function readBase(given: string): string {
  let url: URL | null = null;
  try {
    url = new URL(given); // `URL.canParse` of Node 20 turns names such as "bücher.de" away once it is compiled
  } catch {}
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl must be an http or https address');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
