/** What an error of the AI binding says in terms of HTTP. */
export interface WorkersAiStatus {
  /** Undefined where it is not told. */
  readonly http: number | undefined;
  /** Whether what the account may use for now is used up. */
  readonly isQuota: boolean;
}

const ALLOCATION_USED = 3036;

/**
 * HTTP status by the code that an error begins with (https://developers.cloudflare.com/workers-ai/platform/errors/), but for
 * a model that is not known, which there is 400: no other request for it will do better.
 */
const STATUS: ReadonlyMap<number, number> = new Map([
  [3003, 400],
  [3006, 413],
  [3007, 408],
  [3008, 408],
  [3023, 403],
  [ALLOCATION_USED, 429],
  [3039, 400],
  [3040, 429],
  [3041, 403],
  [3042, 404],
  [5004, 400],
  [5005, 405],
  [5007, 404],
  [5016, 403],
  [5018, 403],
  [5019, 405],
  // Of Cloudflare's API, which local development goes through: no login.
  [10_000, 401],
]);

/** Reads an error that the AI binding threw; null where it is not one that Workers AI told. */
export function workersAiStatus({ name, message }: Error): WorkersAiStatus | null {
  const code = /^(\d{4,5}): /.exec(message)?.[1];
  if (code === undefined) return name === 'InferenceUpstreamError' ? { http: undefined, isQuota: false } : null;
  const number = Number(code);
  return { http: STATUS.get(number) ?? classOf(number), isQuota: number === ALLOCATION_USED };
}

/** Codes from 5000 to 5999 are about the request, as far as they are published; of others nothing is known. */
function classOf(code: number): number | undefined {
  return code >= 5000 && code < 6000 ? 400 : undefined;
}
