/** What may not stand in a token of RFC 9110. */
const NO_TOKEN = /[^\w!#$%&'*+.^`|~-]/g;

/** A `Server-Timing` header from milliseconds by stage, such as `extract;dur=1.2, encode;dur=2`, and of all together. */
export function serverTiming(timings: Readonly<Record<string, number>>, total?: number): string {
  return Object.entries({ ...timings, ...(total !== undefined && { total }) })
    .map(([name, milliseconds]) => `${name.replaceAll(NO_TOKEN, '_')};dur=${Math.round(10 * milliseconds) / 10}`)
    .join(', ');
}
