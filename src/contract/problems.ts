import type { ZodError } from 'zod';
import { counted } from '../text/index.ts';

/** Problems of one part of a body, with pointers into the whole. */
export function problemsIn({ issues }: ZodError, at: readonly PropertyKey[]): { pointer: string; detail: string }[] {
  return issues.flatMap((issue) => errorsOf({ ...issue, path: [...at, ...issue.path] }));
}

const MAX_UNKNOWN = 20;

type Issue = ZodError['issues'][number];

/** Issues reported only for values of the right type. */
const PAST_TYPE: ReadonlySet<string | undefined> = new Set<Issue['code']>(['too_big', 'too_small', 'custom']);

function errorsOf(issue: Issue): { pointer: string; detail: string }[] {
  const pointer = pointerOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const shown = issue.keys.slice(0, MAX_UNKNOWN).map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      detail: 'is not a known field',
    }));
    const more = issue.keys.length - shown.length;
    return more === 0 ? shown : [...shown, { pointer, detail: `has ${counted(more, 'more unknown field')}` }];
  }
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.map((errors) =>
      errors.flatMap((error) => errorsOf({ ...error, path: [...issue.path, ...error.path] })),
    );
    const meant = branches.filter(
      (errors, index) =>
        errors.some((error) => error.pointer !== pointer) ||
        issue.errors[index].some(({ code }) => PAST_TYPE.has(code)),
    );
    if (meant.length > 0) return meant[0];
    // Without branches if none was entered, since its name is unknown.
    const details = branches.flatMap((errors) => errors.map(({ detail }) => detail));
    return [{ pointer, detail: details.join(', or ') || issue.message }];
  }
  return [{ pointer, detail: plainText(issue) }];
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** The problem in plain words; the schema's own message, if it has one. */
function plainText(issue: Issue): string {
  if (!/^(?:Invalid|Too) \w+:/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `must ${boundOf(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${boundOf(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    default:
      return issue.message;
  }
}

function boundOf(origin: string, bound: string, count: number | bigint): string {
  if (origin === 'array' || origin === 'set') return `have ${bound} ${counted(Number(count), 'entry', 'entries')}`;
  if (origin === 'string') return `have ${bound} ${counted(Number(count), 'character')}`;
  return `be ${bound} ${count}`;
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
