import type { Command, Commands, Flags } from '../command.ts';
import { overDatabase } from '../over-service.node.ts';
import { noPositionals, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';

const LIST_FLAGS = {
  tenant: { type: 'string', value: 'TENANT', about: 'only those of a tenant' },
} as const satisfies Flags;

const RETRY_FLAGS = {
  all: { type: 'boolean', about: 'all that failed, instead of those that are named' },
  tenant: { type: 'string', value: 'TENANT', about: 'with --all: only those of a tenant' },
} as const satisfies Flags;

const listJobs: Command = {
  summary: 'List digests that failed permanently, and why.',
  usage: '',
  flags: LIST_FLAGS,
  notes: 'Digests are tried four times before they count as failed, or once where a caller waits.',
  examples: ['tessera jobs list', 'tessera jobs list --tenant acme'],
  async run(args) {
    const { values, positionals } = parseFlags(args, LIST_FLAGS);
    noPositionals(positionals);
    const { listJobsCommand } = await import('../failed-work.node.ts');
    await overDatabase((database) => listJobsCommand(database, values.tenant));
  },
};

const retryJobs: Command = {
  summary: 'Retry digests that failed permanently.',
  usage: 'ID… | --all',
  flags: RETRY_FLAGS,
  notes:
    'The running service makes them, under their ids. Nothing is retried unless every ID is one that "tessera jobs list" shows.',
  examples: ['tessera jobs retry dig_1a2b3c', 'tessera jobs retry --all --tenant acme'],
  async run(args) {
    const chosen = chosenIn(args, 'digests');
    const { retryJobsCommand } = await import('../failed-work.node.ts');
    await overDatabase((database) => retryJobsCommand(database, chosen));
  },
};

const listWebhooks: Command = {
  summary: 'List undelivered webhooks, and why.',
  usage: '',
  flags: LIST_FLAGS,
  notes: 'Of a callback URL only scheme and host are shown: the rest may hold a secret.',
  examples: ['tessera webhooks list', 'tessera webhooks list --tenant acme'],
  async run(args) {
    const { values, positionals } = parseFlags(args, LIST_FLAGS);
    noPositionals(positionals);
    const { listWebhooksCommand } = await import('../failed-work.node.ts');
    await overDatabase((database) => listWebhooksCommand(database, values.tenant));
  },
};

const retryWebhooks: Command = {
  summary: 'Retry undelivered webhooks.',
  usage: 'ID… | --all',
  flags: RETRY_FLAGS,
  notes:
    'The running service sends them, under their ids. Nothing is retried unless every ID is one that "tessera webhooks list" shows.',
  examples: ['tessera webhooks retry msg_1a2b3c', 'tessera webhooks retry --all'],
  async run(args) {
    const chosen = chosenIn(args, 'webhooks');
    const { retryWebhooksCommand } = await import('../failed-work.node.ts');
    await overDatabase((database) => retryWebhooksCommand(database, chosen));
  },
};

/** @throws UsageError unless there are either ids or --all */
function chosenIn(args: readonly string[], what: string) {
  const { values, positionals: ids } = parseFlags(args, RETRY_FLAGS);
  const { all = false, tenant } = values;
  if (all === ids.length > 0) throw new UsageError(`Name the ${what}, or say --all.`);
  if (tenant !== undefined && !all) throw new UsageError('--tenant goes with --all.');
  return { ids: all ? null : ids, tenant };
}

/** What an operator does about work that failed. */
export const FAILED_WORK: Commands = {
  'jobs list': listJobs,
  'jobs retry': retryJobs,
  'webhooks list': listWebhooks,
  'webhooks retry': retryWebhooks,
};
