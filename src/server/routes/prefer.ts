/** What a caller prefers, by RFC 7240. */
export interface Preference {
  /** Seconds to wait at most before 202 is answered; null where the caller has no preference. */
  readonly wait: number | null;
  /** What was understood, for `Preference-Applied`. */
  readonly applied: string | null;
}

/** Reads `Prefer: respond-async`, `Prefer: wait=10` and both: async then waits so long before it answers 202. */
export function preferenceIn(header: string | undefined): Preference {
  const asked = (header ?? '').split(',').map((part) => part.split(';')[0].trim().toLowerCase());
  const isAsync = asked.includes('respond-async');
  const wait = asked
    .map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  if (!isAsync && wait === undefined) return { wait: null, applied: null };
  const applied = [...(isAsync ? ['respond-async'] : []), ...(wait === undefined ? [] : [`wait=${Number(wait)}`])];
  return { wait: wait === undefined ? 0 : Number(wait), applied: applied.join(', ') };
}
