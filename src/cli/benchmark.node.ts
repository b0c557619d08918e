import type { DigestParts } from '../digest/digest-parts.ts';
import { agreementCommand } from './benchmark/agreement.node.ts';
import { annotateCommand } from './benchmark/annotate.node.ts';
import type { BenchmarkCommand, CommandStreams } from './benchmark/command.ts';
import { haystackCommand } from './benchmark/haystack.node.ts';
import { intentsCommand } from './benchmark/intents.node.ts';
import { keyPointsCommand } from './benchmark/key-points.node.ts';
import { loadCommand } from './benchmark/load.node.ts';
import { questionsCommand } from './benchmark/questions.node.ts';
import { retrieveCommand } from './benchmark/retrieve.node.ts';
import { runCommand } from './benchmark/run.node.ts';
import { UsageError } from './usage-error.ts';

/** By name, in the order in which a set is made, looked at and run. */
const COMMANDS: Readonly<Record<string, BenchmarkCommand>> = {
  load: loadCommand,
  haystack: haystackCommand,
  questions: questionsCommand,
  intents: intentsCommand,
  'key-points': keyPointsCommand,
  annotate: annotateCommand,
  agreement: agreementCommand,
  retrieve: retrieveCommand,
  run: runCommand,
};

export const BENCHMARK_USAGE = Object.values(COMMANDS).map(usageOf).join('\n');

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
  if (name === '--help' || name === 'help') {
    streams.stdout.write(`Usage:\n${BENCHMARK_USAGE}\n`);
    return 0;
  }
  if (command === undefined) {
    const usage = `Usage:\n${BENCHMARK_USAGE}`;
    throw new UsageError(`benchmark is one of ${Object.keys(COMMANDS).join(', ')}.`, { usage });
  }
  const usage = `Usage:\n${usageOf(command)}`;
  if (args.includes('--help')) {
    streams.stdout.write(`${usage}\n`);
    return 0;
  }
  try {
    return await command.run(args, service, streams, signal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, { cause: error, usage });
  }
}

function usageOf({ usage }: BenchmarkCommand): string {
  return `  tessera benchmark ${usage}`;
}
