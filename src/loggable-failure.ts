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

/**
 * A failure by name, message and place, and nothing else that it carries. A failed query tells the values that it was given,
 * which may be texts of documents: of it only the statement is shown.
 */
export function loggableFailure(failure: unknown): LoggableFailure {
  if (!(failure instanceof Error)) return { type: typeof failure, message: String(failure) };
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
  const stack = failure.stack?.match(/^ {4}at .*$/gm)?.join('\n');
  return {
    type: failure.name === 'Error' ? failure.constructor.name : failure.name,
    message: failure instanceof DrizzleQueryError ? `Failed query: ${failure.query}` : failure.message,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
    ...(failure.cause !== undefined && { cause: loggableFailure(failure.cause) }),
  };
}
