import { existsSync } from 'node:fs';
import type { Service } from '../server/index.node.ts';
import type { OpenDatabase } from '../store/index.node.ts';

/** Runs a command with a service. The first Ctrl-C aborts the signal, the second ends the process. */
export async function overService(command: (service: Service, signal: AbortSignal) => Promise<number>): Promise<void> {
  const interrupted = interruption();
  const service = await quietService();
  try {
    process.exitCode = await command(service, interrupted);
  } finally {
    await service.close();
  }
}

export async function quietService(): Promise<Service> {
  const { readConfiguration } = await import('../server/index.ts');
  const { startService } = await import('../server/index.node.ts');
  return startService({ ...readConfiguration(process.env), logLevel: 'warn' });
}

export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return interrupted.signal;
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
