import type { ZodError } from 'zod';

/** What does not fit the schema of a part of a body, with pointers into the body. */
export function problemsIn({ issues }: ZodError, at: readonly PropertyKey[]): { pointer: string; detail: string }[] {
  return issues.flatMap((issue) => errorsOf({ ...issue, path: [...at, ...issue.path] }));
}

/** Unknown fields of one object that are named; the rest is counted. */
const MAX_UNKNOWN = 20;

type Issue = ZodError['issues'][number];

/** What is only found of a value of the right type. */
const PAST_TYPE: ReadonlySet<string | undefined> = new Set<Issue['code']>(['too_big', 'too_small', 'custom']);

function errorsOf(issue: Issue): { pointer: string; detail: string }[] {
  const pointer = pointerOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const shown = issue.keys.slice(0, MAX_UNKNOWN).map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      detail: 'is not a known field',
    }));
    const more = issue.keys.length - shown.length;
    return more === 0 ? shown : [...shown, { pointer, detail: `has ${more} more unknown fields` }];
  }
  if (issue.code === 'invalid_union') {
    // The branch that got furthest is the one that was meant: into a field, or past the type of the value.
    const branches = issue.errors.map((errors) =>
      errors.flatMap((error) => errorsOf({ ...error, path: [...issue.path, ...error.path] })),
    );
    const meant = branches.filter(
      (errors, index) =>
        errors.some((error) => error.pointer !== pointer) ||
        issue.errors[index].some(({ code }) => PAST_TYPE.has(code)),
    );
    return (
      meant[0] ?? [
        {
          pointer,
          // Without branches where none was looked into, for its name is not known.
          detail:
            branches
              .flat()
              .map(({ detail }) => detail)
              .join(', or ') || issue.message,
        },
      ]
    );
  }
  return [{ pointer, detail: issue.message }];
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
