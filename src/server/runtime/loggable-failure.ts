import { DrizzleQueryError } from 'drizzle-orm';

/** A failure as a log shows it. */
export interface LoggableFailure {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  /** Where it came from, without the message. */
  readonly stack?: string;
  readonly cause?: LoggableFailure;
}

/** Failures in a row that are shown, each the cause of the one before: one may be its own. */
const MAX = 8;

/**
 * A failure by name, message and place, and nothing else that it carries. A failed query tells the values that it was given,
 * which may be texts of documents: of it only the statement is shown.
 */
export function loggableFailure(failure: unknown): LoggableFailure {
  return loggable(failure, MAX);
}

function loggable(failure: unknown, most: number): LoggableFailure {
  if (!(failure instanceof Error)) {
    // An object may have no words for itself.
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

/** The lines of a stack that follow the message, lines of which may look like them. */
function placeOf({ stack = '', message }: Error): string | undefined {
  const at = stack.indexOf(message);
  if (at < 0) return undefined; // it is of another message
  return stack
    .slice(at + message.length)
    .match(/^ {4}at .*$/gm)
    ?.join('\n');
}
