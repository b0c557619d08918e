import { DrizzleQueryError } from 'drizzle-orm';
import type { Log, LogLevel } from '../middleware/request-log.ts';
import type { Configuration } from './configuration.ts';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function consoleLog(level: Configuration['logLevel']): Log {
  const least = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level);
  return (at, fields, msg) => {
    // biome-ignore lint/suspicious/noConsole: the console is where this runtime keeps its log
    if (LEVELS.indexOf(at) >= least) console[at](JSON.stringify({ level: at, ...plainFields(fields), msg }));
  };
}

/** What a log line may show of these fields. */
export function plainFields({ err, ...fields }: Readonly<Record<string, unknown>>): object {
  return err === undefined ? fields : { ...fields, err: loggableFailure(err) };
}

export interface LoggableFailure {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggableFailure;
}

/** Max depth of causes, which may be cyclic. */
const MAX = 8;

/** Name, message and stack only. Omits the parameters of a failed query, which may be texts of documents. */
export function loggableFailure(failure: unknown): LoggableFailure {
  return loggable(failure, MAX);
}

function loggable(failure: unknown, most: number): LoggableFailure {
  if (!(failure instanceof Error)) {
    // An object may have no string form.
    const message = typeof failure === 'object' && failure !== null ? 'not an error' : String(failure);
    return { type: typeof failure, message };
  }
  const { cause } = failure;
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
  const stack = placeOf(failure);
  return {
    type: failure.name === 'Error' ? failure.constructor.name : failure.name,
    message: failure instanceof DrizzleQueryError ? `Failed query: ${failure.query}` : failure.message,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && most > 1 && { cause: loggable(cause, most - 1) }),
  };
}

/** Stack frames start after the message, which may contain similar lines. */
function placeOf({ stack = '', message }: Error): string | undefined {
  const at = stack.indexOf(message);
  if (at < 0) return undefined; // the message was changed later
  return stack
    .slice(at + message.length)
    .match(/^ {4}at .*$/gm)
    ?.join('\n');
}
