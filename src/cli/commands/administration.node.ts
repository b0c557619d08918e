import type { Command, Commands, Flags } from '../command.ts';
import { overDatabase } from '../over-service.node.ts';
import { noPositionals, onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';
import { FAILED_WORK } from './failed-work.node.ts';

const TENANT = { type: 'string', value: 'TENANT', about: 'tenant; default "default"' } as const;

const CREATE_FLAGS = {
  name: { type: 'string', value: 'NAME', about: 'what the key is for, as a list of keys shows it' },
  tenant: TENANT,
  scopes: { type: 'string', value: 'SCOPES', about: 'any of digests,experiments,admin; default digests,experiments' },
  sql: { type: 'boolean', about: 'print SQL for a database elsewhere, such as D1, and open none' },
} as const satisfies Flags;

const createKey: Command = {
  summary: 'Create an API key. Once one exists, every call needs a key.',
  usage: '--name NAME',
  flags: CREATE_FLAGS,
  notes: 'The key is on standard output, once: only a hash of it is kept.',
  examples: ['tessera keys create --name app', 'tessera keys create --name reports --tenant acme --scopes digests'],
  async run(args) {
    const { values, positionals } = parseFlags(args, CREATE_FLAGS);
    noPositionals(positionals);
    const { sql = false, name, ...others } = values;
    if (name === undefined) throw new UsageError('Name the key: --name NAME.');
    const asked = { ...others, name };
    const { createKeyCommand, createKeySql } = await import('../keys.node.ts');
    const { InvalidApiKeyError } = await import('../../store/index.ts');
    try {
      if (sql) {
        const made = await createKeySql(asked);
        process.stderr.write(made.note);
        process.stdout.write(made.out);
        return;
      }
      await overDatabase(async (database) => {
        const made = await createKeyCommand(database, asked);
        process.stderr.write(made.note);
        return made.out;
      }, true);
    } catch (cause) {
      if (cause instanceof InvalidApiKeyError) throw new UsageError(cause.message, { cause });
      throw cause;
    }
  },
};

const LIST_FLAGS = { tenant: { ...TENANT, about: 'only those of a tenant' } } as const satisfies Flags;

const listKeys: Command = {
  summary: 'List API keys.',
  usage: '',
  flags: LIST_FLAGS,
  examples: ['tessera keys list', 'tessera keys list --tenant acme'],
  async run(args) {
    const { values, positionals } = parseFlags(args, LIST_FLAGS);
    noPositionals(positionals);
    const { listKeysCommand } = await import('../keys.node.ts');
    await overDatabase((database) => listKeysCommand(database, values));
  },
};

const revokeKey: Command = {
  summary: 'Revoke an API key.',
  usage: 'ID',
  flags: {},
  notes: 'ID is the one that "tessera keys list" shows.',
  examples: ['tessera keys revoke key_1a2b3c'],
  async run(args) {
    const id = onlyPositional(parseFlags(args, {}).positionals, 'a key');
    const { revokeKeyCommand } = await import('../keys.node.ts');
    await overDatabase((database) => revokeKeyCommand(database, id));
  },
};

const listTenants: Command = {
  summary: 'List tenants and how much each stores.',
  usage: '',
  flags: {},
  examples: ['tessera tenants list'],
  async run(args) {
    noPositionals(parseFlags(args, {}).positionals);
    const { listTenantsCommand } = await import('../tenants.node.ts');
    await overDatabase(listTenantsCommand);
  },
};

const DELETE_FLAGS = {
  yes: { type: 'boolean', about: 'do it; without it is told what would go' },
  sql: { type: 'boolean', about: 'print SQL for a database elsewhere, such as D1, and open none' },
} as const satisfies Flags;

const deleteTenant: Command = {
  summary: 'Delete all data of a tenant.',
  usage: 'TENANT',
  flags: DELETE_FLAGS,
  notes: 'Backups that were made before still hold it.',
  examples: [
    'tessera tenants delete acme',
    'tessera tenants delete acme --yes',
    'tessera tenants delete acme --sql > gone.sql',
  ],
  async run(args) {
    const { values, positionals } = parseFlags(args, DELETE_FLAGS);
    const tenant = onlyPositional(positionals, 'a tenant');
    const { sql = false, yes = false } = values;
    if (sql && yes) throw new UsageError('--sql only prints, and --yes does it: say one of them.');
    const { deleteTenantCommand, deleteTenantSql } = await import('../tenants.node.ts');
    if (sql) process.stdout.write(await deleteTenantSql(tenant));
    else await overDatabase((database) => deleteTenantCommand(database, tenant, values));
  },
};

const SECRET_FLAGS = {
  tenant: TENANT,
  rotate: { type: 'boolean', about: 'make a new one; the old one signs beside it for a day' },
} as const satisfies Flags;

const webhookSecret: Command = {
  summary: 'Print the secret that verifies webhook signatures.',
  usage: '',
  flags: SECRET_FLAGS,
  examples: ['tessera webhooks secret', 'tessera webhooks secret --tenant acme --rotate'],
  async run(args) {
    const { values, positionals } = parseFlags(args, SECRET_FLAGS);
    noPositionals(positionals);
    const { DEFAULT_TENANT, forTenant } = await import('../../store/index.ts');
    const { webhookSecret: secretOf } = await import('../webhooks.node.ts');
    const { tenant = DEFAULT_TENANT, rotate = false } = values;
    await overDatabase((database) => secretOf(forTenant(database, tenant), { rotate }), true);
  },
};

const backup: Command = {
  summary: 'Back up the database while it is in use.',
  usage: 'FILE',
  flags: {},
  notes: 'FILE must not exist. The copy is verified before it gets its name.',
  examples: ['tessera backup copy.sqlite', 'TESSERA_DB=/srv/tessera.sqlite tessera backup /backup/monday.sqlite'],
  async run(args) {
    const file = onlyPositional(parseFlags(args, {}).positionals, 'a file');
    const { backupCommand } = await import('../backup.node.ts');
    await overDatabase((database) => backupCommand(database, file));
  },
};

const RESTORE_FLAGS = {
  force: { type: 'boolean', about: 'replace an existing database; never one in use' },
} as const satisfies Flags;

const restore: Command = {
  summary: 'Restore a backup.',
  usage: 'FILE',
  flags: RESTORE_FLAGS,
  notes: 'FILE is one of "tessera backup"; it is verified first and left unchanged. Stop the service first.',
  examples: [
    'tessera restore copy.sqlite --force',
    'TESSERA_DB=/srv/tessera.sqlite tessera restore /backup/monday.sqlite',
  ],
  async run(args) {
    const { values, positionals } = parseFlags(args, RESTORE_FLAGS);
    const file = onlyPositional(positionals, 'a file');
    const { readConfiguration } = await import('../../server/index.ts');
    const { restoreCommand } = await import('../restore.node.ts');
    process.stdout.write(await restoreCommand(file, readConfiguration(process.env).database, values));
  },
};

/** What an operator does to a database. */
export const ADMINISTRATION: Commands = {
  'keys create': createKey,
  'keys list': listKeys,
  'keys revoke': revokeKey,
  'tenants list': listTenants,
  'tenants delete': deleteTenant,
  ...FAILED_WORK,
  'webhooks secret': webhookSecret,
  backup,
  restore,
};
