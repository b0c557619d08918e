/** Values to try by the path of an option: `{"selection.size.keyPoints": [5, 10]}`. */
type Sweep = Readonly<Record<string, readonly unknown[]>>;

/** An arm that a sweep gave: what comes behind its name, and its options as yet unchecked. */
interface SweptArm {
  readonly suffix: string;
  readonly options: unknown;
}

/**
 * One arm for each value of a sweep; the values of several multiply. A path makes what it leads through, in the place of
 * anything that is no object.
 *
 * @returns the options alone, without a suffix, where there is nothing to sweep
 */
export function expandSweeps(options: unknown, sweep: Sweep = {}): SweptArm[] {
  const labels = labelsOf(Object.keys(sweep));
  return Object.entries(sweep).reduce<SweptArm[]>(
    (arms, [path, values], place) =>
      arms.flatMap((arm) =>
        values.map((value) => ({
          suffix: `${arm.suffix}, ${labels[place]} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
          options: withValue(arm.options, path.split('.'), value),
        })),
      ),
    [{ suffix: '', options }],
  );
}

/** The last part of each path, or all of it where two end alike. */
function labelsOf(paths: readonly string[]): string[] {
  const last = paths.map((path) => path.slice(path.lastIndexOf('.') + 1));
  return paths.map((path, place) => (last.filter((each) => each === last[place]).length > 1 ? path : last[place]));
}

function withValue(options: unknown, [field, ...rest]: readonly string[], value: unknown): unknown {
  const fields: Readonly<Record<string, unknown>> = isObject(options) ? options : {};
  // A field that every object inherits is none of the options.
  const inner = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return { ...fields, [field]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
