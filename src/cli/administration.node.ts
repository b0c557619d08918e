import type { OpenDatabase } from '../store/index.node.ts';
import { type Command, type Commands, command, type Declared, type Flags, one, UsageError } from './command.node.ts';
import { overDatabase } from './over-service.node.ts';

const TENANT = { type: 'string', value: 'TENANT', about: 'tenant; default "default"' } as const;
const OF_TENANT = { ...TENANT, about: 'only those of a tenant' } as const;
const SQL = { type: 'boolean', about: 'print SQL for a database elsewhere, such as D1, and open none' } as const;

const keys = () => import('./keys.node.ts');
const tenants = () => import('./tenants.node.ts');
const copies = () => import('./copies.node.ts');

type OnDatabase<Own extends Flags> = Omit<Declared<Own>, 'run'> & {
  readonly creates?: true;
  run(database: OpenDatabase, ...call: Parameters<Declared<Own>['run']>): Promise<string>;
};

function onDatabase<const Own extends Flags>({ creates, run, ...declared }: OnDatabase<Own>): Command {
  return command({
    ...declared,
    run: (values, args) => overDatabase((database) => run(database, values, args), creates),
  });
}

export const ADMINISTRATION: Commands = {
  'keys create': command({
    summary: 'Create an API key. Once one exists, every call needs a key.',
    usage: '--name NAME',
    flags: {
      name: { type: 'string', value: 'NAME', about: 'what the key is for, as a list of keys shows it' },
      tenant: TENANT,
      scopes: {
        type: 'string',
        value: 'SCOPES',
        about: 'any of digests,experiments,admin; default digests,experiments',
      },
      sql: SQL,
    },
    notes: 'The key is on standard output, once: only a hash of it is kept.',
    examples: ['tessera keys create --name app', 'tessera keys create --name reports --tenant acme --scopes digests'],
    async run({ sql = false, name, ...others }) {
      if (name === undefined) throw new UsageError('Name the key: --name NAME.');
      const { createKeyCommand, createKeySql } = await keys();
      const flags = { ...others, name };
      const printed = ({ note, out }: Awaited<ReturnType<typeof createKeySql>>) => {
        process.stderr.write(note);
        return out;
      };
      if (sql) process.stdout.write(printed(await createKeySql(flags)));
      else await overDatabase(async (database) => printed(await createKeyCommand(database, flags)), true);
    },
  }),
  'keys list': onDatabase({
    summary: 'List API keys.',
    usage: '',
    flags: { tenant: OF_TENANT },
    examples: ['tessera keys list', 'tessera keys list --tenant acme'],
    run: async (database, { tenant }) => (await keys()).listKeysCommand(database, tenant),
  }),
  'keys revoke': onDatabase({
    summary: 'Revoke an API key.',
    usage: 'ID',
    flags: {},
    notes: 'ID is the one that "tessera keys list" shows.',
    examples: ['tessera keys revoke key_1a2b3c'],
    takes: one('a key'),
    run: async (database, _, [id]) => (await keys()).revokeKeyCommand(database, id),
  }),
  'tenants list': onDatabase({
    summary: 'List tenants and how much each stores.',
    usage: '',
    flags: {},
    examples: ['tessera tenants list'],
    run: async (database) => (await tenants()).listTenantsCommand(database),
  }),
  'tenants delete': command({
    summary: 'Delete all data of a tenant.',
    usage: 'TENANT',
    flags: { yes: { type: 'boolean', about: 'do it; without it is told what would go' }, sql: SQL },
    notes: 'Backups that were made before still hold it.',
    examples: [
      'tessera tenants delete acme',
      'tessera tenants delete acme --yes',
      'tessera tenants delete acme --sql > gone.sql',
    ],
    takes: one('a tenant'),
    async run({ sql = false, yes = false }, [tenant]) {
      if (sql && yes) throw new UsageError('--sql only prints, and --yes does it: say one of them.');
      const { deleteTenantCommand, deleteTenantSql } = await tenants();
      if (sql) process.stdout.write(await deleteTenantSql(tenant));
      else await overDatabase((database) => deleteTenantCommand(database, tenant, yes));
    },
  }),
  'webhooks secret': onDatabase({
    summary: 'Print the secret that verifies webhook signatures.',
    usage: '',
    flags: {
      tenant: TENANT,
      rotate: { type: 'boolean', about: 'make a new one; the old one signs beside it for a day' },
    },
    examples: ['tessera webhooks secret', 'tessera webhooks secret --tenant acme --rotate'],
    creates: true,
    run: async (database, { tenant, rotate = false }) => (await tenants()).webhookSecret(database, rotate, tenant),
  }),
  backup: onDatabase({
    summary: 'Back up the database while it is in use.',
    usage: 'FILE',
    flags: {},
    notes: 'FILE must not exist. The copy is verified before it gets its name.',
    examples: ['tessera backup copy.sqlite', 'TESSERA_DB=/srv/tessera.sqlite tessera backup /backup/monday.sqlite'],
    takes: one('a file'),
    run: async (database, _, [file]) => (await copies()).backupCommand(database, file),
  }),
  restore: command({
    summary: 'Restore a backup.',
    usage: 'FILE',
    flags: { force: { type: 'boolean', about: 'replace an existing database; never one in use' } },
    notes: 'FILE is one of "tessera backup"; it is verified first and left unchanged. Stop the service first.',
    examples: [
      'tessera restore copy.sqlite --force',
      'TESSERA_DB=/srv/tessera.sqlite tessera restore /backup/monday.sqlite',
    ],
    takes: one('a file'),
    async run(values, [file]) {
      const { readConfiguration } = await import('../server/index.ts');
      const { restoreCommand } = await copies();
      process.stdout.write(await restoreCommand(file, readConfiguration(process.env).database, values));
    },
  }),
};
