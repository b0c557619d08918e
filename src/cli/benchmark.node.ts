import type { DigestParts } from '../digest/digest-parts.ts';
import type { BenchmarkCommand, CommandStreams } from './benchmark/command.ts';
import { UsageError } from './usage-error.ts';

/** By name. */
const COMMANDS: Readonly<Record<string, BenchmarkCommand>> = {};

export const BENCHMARK_USAGE = Object.values(COMMANDS)
  .map(({ usage }) => `  tessera benchmark ${usage}`)
  .join('\n');

/**
 * Makes and runs benchmarks.
 *
 * @param signal ends what is under way; what is answered by then is kept
 * @returns the exit code
 * @throws UsageError for a command that there is not, and what the commands throw
 */
export async function benchmark(
  [name, ...args]: readonly string[],
  service: () => Promise<DigestParts>,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`benchmark is one of ${Object.keys(COMMANDS).join(', ')}.`);
  return command.run(args, service, streams, signal);
}
