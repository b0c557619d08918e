/** Milliseconds of one attempt: the service answers a digest that takes longer than 120 seconds with its address. */
export const PATIENCE = 150_000;

/** As much of `fetch` as the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How the service is reached. */
export interface ClientOptions {
  /** Where the service is, without `/v1`; a path before it is kept. */
  readonly baseUrl: string | URL;
  readonly apiKey?: string | undefined;
  /** Instead of the runtime's own. */
  readonly fetch?: Fetch | undefined;
  /** How often a call that failed is tried again; 3 by default. */
  readonly maxRetries?: number | undefined;
  /**
   * How long one attempt may take; 150 seconds by default. It is no limit of a digest, which is waited for in several
   * attempts where it takes longer, nor of a stream that has begun.
   */
  readonly timeoutMilliseconds?: number | undefined;
}

/** Options, checked. */
export interface Settings {
  /** Without a slash at its end. */
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
  readonly maxRetries: number;
  readonly timeoutMilliseconds: number;
}

/**
 * Checks how the service is to be reached.
 *
 * @throws TypeError for what could never work; it does not repeat the key
 */
export function readSettings(options: ClientOptions): Settings {
  const { apiKey, fetch: given, maxRetries = 3, timeoutMilliseconds = PATIENCE } = options;
  // A header that cannot be written would be told with its value.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be one or more visible ASCII characters');
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError('maxRetries must be a whole number from 0');
  if (!(timeoutMilliseconds > 0)) throw new TypeError('timeoutMilliseconds must be above 0');
  return {
    base: readBase(String(options.baseUrl)),
    apiKey,
    // Both are called as plain functions: some runtimes refuse fetch as a method of another object.
    fetch: (url, init) => (given === undefined ? globalThis.fetch(url, init) : given(url, init)),
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
