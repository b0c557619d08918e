import type { Log, LogLevel } from '../middleware/request-log.ts';
import type { Configuration } from './configuration.ts';
import { loggableFailure } from './loggable-failure.ts';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** A log of one JSON object a line on the console, which the runtime collects. */
export function consoleLog(level: Configuration['logLevel']): Log {
  const least = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level);
  return (at, fields, msg) => {
    // biome-ignore lint/suspicious/noConsole: the console is where this runtime keeps its log
    if (LEVELS.indexOf(at) >= least) console[at](JSON.stringify({ level: at, ...plain(fields), msg }));
  };
}

function plain({ err, ...fields }: Readonly<Record<string, unknown>>): object {
  return err === undefined ? fields : { ...fields, err: loggableFailure(err) };
}
