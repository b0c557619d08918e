import { existsSync } from 'node:fs';
import type { Service } from '../server/index.node.ts';
import type { ServiceDeps } from '../server/index.ts';
import type { OpenDatabase } from '../store/index.node.ts';
import { type Command, command, type Declared, type Flags } from './command.node.ts';

type Context = [service: () => Promise<ServiceDeps>, streams: NodeJS.Process, signal: AbortSignal];

interface ServiceCommand extends Omit<Command, 'run'> {
  /** @returns the exit code */
  run(args: readonly string[], ...context: Context): Promise<number>;
}

export function serviceCommand<const Own extends Flags>(declared: Declared<Own, Context, number>): Command {
  return overService(command(declared));
}

/** A command that may start a service. The first Ctrl-C aborts the signal, the second ends the process. */
export function overService({ run, ...described }: ServiceCommand): Command {
  return {
    ...described,
    async run(args) {
      const interrupted = new AbortController();
      process.once('SIGINT', () => interrupted.abort());
      let started: Promise<Service> | undefined;
      const deps = async () => {
        started ??= quietService();
        return (await started).deps;
      };
      try {
        process.exitCode = await run(args, deps, process, interrupted.signal);
      } finally {
        await (await started)?.close();
      }
    },
  };
}

async function quietService(): Promise<Service> {
  const { readConfiguration } = await import('../server/index.ts');
  const { startService } = await import('../server/index.node.ts');
  return startService({ ...readConfiguration(process.env), logLevel: 'warn' });
}

export async function overDatabase(
  command: (database: OpenDatabase) => Promise<string>,
  creates = false,
): Promise<void> {
  const { ConfigurationError, readConfiguration } = await import('../server/index.ts');
  const configuration = readConfiguration(process.env);
  if (!creates && !existsSync(configuration.database)) {
    throw new ConfigurationError(`TESSERA_DB names "${configuration.database}", and there is no such file.`);
  }
  const { openDatabaseOf } = await import('../server/index.node.ts');
  const database = openDatabaseOf(configuration);
  try {
    process.stdout.write(`${(await command(database)).trimEnd()}\n`);
  } finally {
    database.close();
  }
}
