import type { Command } from '../command.ts';
import { noPositionals, parseFlags } from '../parse-flags.node.ts';

/** Serves the API and the page. */
export const serveCommand: Command = {
  summary: 'Serve the API and the page, and do the work of their digests.',
  usage: '',
  flags: {},
  notes: 'HOST, PORT and TESSERA_DB say where (http://127.0.0.1:8787 and var/tessera.sqlite). It ends on Ctrl-C.',
  examples: ['tessera serve', 'PORT=9000 TESSERA_DB=/srv/tessera.sqlite tessera serve'],
  async run(args) {
    noPositionals(parseFlags(args, {}).positionals);
    const { ConfigurationError, readConfiguration } = await import('../../../server/runtime/configuration.ts');
    const configuration = readConfiguration(process.env);
    const { serve } = await import('../../../server/runtime/node/serve.node.ts');
    try {
      await serve(configuration);
    } catch (cause) {
      if (!(cause instanceof Error && 'syscall' in cause && cause.syscall === 'listen' && 'code' in cause)) throw cause;
      const place = `${configuration.host}:${configuration.port}`;
      const message = `${place} cannot be listened at (${cause.code}): set HOST or PORT to another.`;
      throw new ConfigurationError(message, { cause });
    }
  },
};

/** Does the work of another process's database. */
export const workCommand: Command = {
  summary: 'Do the work of digests beside "serve", in a process of its own.',
  usage: '',
  flags: {},
  notes:
    'TESSERA_DB names the database of the service, TESSERA_JOBS how many digests are made at once. It ends on Ctrl-C.',
  examples: ['TESSERA_DB=/srv/tessera.sqlite TESSERA_JOBS=8 tessera work'],
  async run(args) {
    noPositionals(parseFlags(args, {}).positionals);
    const { readConfiguration } = await import('../../../server/runtime/configuration.ts');
    const { workOnly } = await import('../../../server/runtime/node/work-only.node.ts');
    await workOnly(readConfiguration(process.env));
  },
};
