/**
 * A path with ids as its segments.
 *
 * @throws TypeError for an id that would name another resource: an empty one, `.` or `..`
 */
export function path(strings: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: strings }, ...ids.map(segment));
}

function segment(id: string): string {
  if (id === '' || id === '.' || id === '..')
    throw new TypeError(`${JSON.stringify(id)} cannot be an id in an address`);
  return encodeURIComponent(id);
}

/** A query of those parameters that are there, with its question mark. */
export function query(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const entries = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}
