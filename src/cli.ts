#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { backupCommand } from './cli/backup.node.ts';
import { BENCHMARK_USAGE, benchmark } from './cli/benchmark.node.ts';
import { compareArms } from './cli/compare.node.ts';
import { digestHere, progressLines } from './cli/digest-files.node.ts';
import { evalFiles } from './cli/eval.node.ts';
import { evalJudge } from './cli/eval-judge.node.ts';
import { dimensionsOf, judgeRequest, limitOf } from './cli/eval-options.ts';
import { createKeyCommand, createKeySql, listKeysCommand, revokeKeyCommand } from './cli/keys.node.ts';
import { onlyPositional, parseFlags } from './cli/parse-flags.node.ts';
import { printDigest } from './cli/print-digest.node.ts';
import { pullModel } from './cli/pull-model.node.ts';
import { readFiles } from './cli/read-files.node.ts';
import { deleteTenantCommand, listTenantsCommand } from './cli/tenants.node.ts';
import { UsageError } from './cli/usage-error.ts';
import { webhookSecret } from './cli/webhooks.node.ts';
import { ConfigurationError, readConfiguration } from './configuration.ts';
import { modelFilesSchema } from './encoders/encoder-specs.ts';
import { readEntailmentLabel } from './encoders/entailment.node.ts';
import { invalidBody } from './http/problem.ts';
import { digestRequestSchema } from './http/schemas.ts';
import { serve } from './serve.node.ts';
import { openDatabaseOf, type Service, startService } from './service.node.ts';
import { DEFAULT_TENANT, forTenant } from './store/database.ts';
import type { OpenDatabase } from './store/open-database.node.ts';
import { TesseraError } from './tessera-error.ts';
import { workOnly } from './work-only.node.ts';

const USAGE = `Usage:
  tessera digest FILE… [--intent "…"] [--key-points N] [--max-words N] [--bullets | --brief] [--json]
  tessera eval FILE… [--judge embedded|llm] [--encoder NAME] [--model NAME] [--by domain,questionKind,order,inputWords,outputWords]
                     [--baseline SYSTEM] [--json] [--html FILE] [--restart] [--limit N]
  tessera eval judge FILE [--judge embedded|llm] [--encoder NAME] [--model NAME] [--json]
  tessera compare CONFIG DATA [--json] [--html FILE] [--timings] [--restart] [--limit N]
${BENCHMARK_USAGE}
  tessera serve
  tessera work
  tessera keys create --name NAME [--tenant TENANT] [--scopes digests,experiments,admin] [--sql]
  tessera keys list [--tenant TENANT]
  tessera keys revoke ID
  tessera webhooks secret [--tenant TENANT] [--rotate]
  tessera tenants list
  tessera tenants delete TENANT --yes
  tessera backup FILE
  tessera models pull MODEL [--dtype q8] [--to FOLDER]

Settings come from the environment; see the README.`;

async function digest(args: string[]): Promise<void> {
  const { values, positionals } = parseFlags(args, {
    intent: { type: 'string' },
    'key-points': { type: 'string' },
    'max-words': { type: 'string' },
    bullets: { type: 'boolean' },
    brief: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  if (positionals.length === 0) throw new UsageError('Name the files to read.');
  if (values.bullets && values.brief) throw new UsageError('A digest is --bullets or --brief, not both.');
  const body = {
    documents: readFiles(positionals),
    ...(values.intent !== undefined && { intent: values.intent }),
    ...(values['key-points'] !== undefined && { selection: { size: { keyPoints: Number(values['key-points']) } } }),
    summary: {
      format: values.bullets ? 'bullets' : values.brief ? 'brief' : 'report',
      ...(values['max-words'] !== undefined && { maxWords: Number(values['max-words']) }),
    },
  };
  const request = digestRequestSchema.safeParse(body);
  if (!request.success) throw new UsageError(invalidBody(request.error).detail);
  const configuration = { ...readConfiguration(process.env), logLevel: 'warn' as const };
  const { documents = [], selection, summary } = request.data;
  const asked = { documents, intent: values.intent, selection, summary };
  const [answer] = await digestHere([asked], configuration, progressLines(process.stderr));
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  process.stdout.write(`${values.json ? JSON.stringify(answer, null, 2) : printDigest(answer, color)}\n`);
  if (answer.status === 'failed') process.exitCode = 1;
}

const JUDGE_FLAGS = {
  judge: { type: 'string' },
  encoder: { type: 'string' },
  model: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Scores files of records; `eval judge` holds a judge against people. */
async function evaluate(args: string[]): Promise<void> {
  if (args[0] === 'judge') return validateJudge(args.slice(1));
  const { values, positionals } = parseFlags(args, {
    ...JUDGE_FLAGS,
    by: { type: 'string' },
    baseline: { type: 'string' },
    html: { type: 'string' },
    restart: { type: 'boolean' },
    limit: { type: 'string' },
  });
  if (positionals.length === 0) throw new UsageError('Name the files to score.');
  const { html, baseline, json = false, restart = false } = values;
  const [judge, by, limit] = [judgeRequest(values), dimensionsOf(values.by), limitOf(values.limit)];
  const files = readFiles(positionals).map(({ id, text }) => ({ path: id, text }));
  const options = { judge, by, limit, html, baseline, json, restart };
  await overService(async ({ parts }, signal) => {
    process.exitCode = await evalFiles(files, options, parts, process, signal);
  });
}

async function validateJudge(args: string[]): Promise<void> {
  const { values, positionals } = parseFlags(args, JUDGE_FLAGS);
  const path = onlyPositional(positionals, 'a file of labelled summaries');
  const options = { judge: judgeRequest(values), json: values.json === true };
  const [{ text }] = readFiles([path]);
  await overService(async ({ parts }, signal) => {
    process.exitCode = await evalJudge({ path, text }, options, parts, process, signal);
  });
}

/** Compares arms of a configuration over data. */
async function compare(args: string[]): Promise<void> {
  const { values, positionals } = parseFlags(args, {
    json: { type: 'boolean' },
    html: { type: 'string' },
    timings: { type: 'boolean' },
    restart: { type: 'boolean' },
    limit: { type: 'string' },
  });
  if (positionals.length !== 2) throw new UsageError('Name a configuration and a file of data.');
  const { html, json = false, timings = false, restart = false } = values;
  const options = { html, json, timings, restart, limit: limitOf(values.limit) };
  const [configuration, data] = readFiles(positionals).map(({ id, text }) => ({ path: id, text }));
  await overService(async ({ parts }, signal) => {
    process.exitCode = await compareArms({ configuration, data }, options, parts, process, signal);
  });
}

/** Makes and runs benchmarks; the service starts once a command wants it. */
async function runBenchmark(args: string[]): Promise<void> {
  const interrupted = interruption();
  let started: Promise<Service> | undefined;
  const parts = async () => {
    started ??= startService({ ...readConfiguration(process.env), logLevel: 'warn' });
    return (await started).parts;
  };
  try {
    process.exitCode = await benchmark(args, parts, process, interrupted);
  } finally {
    await (await started)?.close();
  }
}

/** Runs a command with the parts of the service; Ctrl-C tells it to end, and a second one ends it. */
async function overService(command: (service: Service, signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = interruption();
  const service = await startService({ ...readConfiguration(process.env), logLevel: 'warn' });
  try {
    await command(service, interrupted);
  } finally {
    await service.close();
  }
}

/** Ctrl-C; a second one ends the process. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return interrupted.signal;
}

async function models([verb, ...args]: string[]): Promise<void> {
  if (verb !== 'pull') throw new UsageError('The one thing to do with models is "pull".');
  const { values, positionals } = parseFlags(args, { to: { type: 'string' }, dtype: { type: 'string' } });
  const named = { model: onlyPositional(positionals, 'a model of the hub'), dtype: values.dtype };
  const wanted = modelFilesSchema.safeParse(named);
  if (!wanted.success) {
    const [{ path, message }] = wanted.error.issues;
    throw new UsageError(`The ${String(path[0])} ${message}.`);
  }
  const { models: configured, hub } = readConfiguration(process.env);
  const folder = values.to ?? configured;
  if (folder === undefined) throw new UsageError('Say where to: TESSERA_MODELS or --to FOLDER.');
  const { model } = wanted.data;
  await pullModel({ ...wanted.data, models: folder, hub }, (file, bytes) => {
    process.stderr.write(`${file} ${bytes} bytes\n`);
  });
  const kind = 'problem' in readEntailmentLabel(folder, model) ? 'transformers' : 'entailment';
  process.stdout.write(`${model} is in ${folder}: {"kind":"${kind}","model":"${model}"} in TESSERA_ENCODERS.\n`);
}

/**
 * Runs a command over the database, and prints what it says.
 *
 * @param isMade whether a database that is not there yet is made
 */
async function overDatabase(command: (database: OpenDatabase) => Promise<string>, isMade = false): Promise<void> {
  const configuration = readConfiguration(process.env);
  if (!isMade && !existsSync(configuration.database)) {
    throw new ConfigurationError(`TESSERA_DB names "${configuration.database}", and there is no such file.`);
  }
  const database = openDatabaseOf(configuration);
  try {
    process.stdout.write(`${(await command(database)).trimEnd()}\n`);
  } finally {
    database.close();
  }
}

async function keys([verb, ...args]: string[]): Promise<void> {
  const { values, positionals } = parseFlags(args, {
    name: { type: 'string' },
    tenant: { type: 'string' },
    scopes: { type: 'string' },
    sql: { type: 'boolean' },
  });
  const { name, tenant, scopes, sql = false } = values;
  if (verb === 'create' && sql) {
    const made = await createKeySql({ name, tenant, scopes });
    process.stderr.write(made.note);
    process.stdout.write(made.out);
    return;
  }
  if (verb === 'create') {
    return overDatabase(async (database) => {
      const made = await createKeyCommand(database, { name, tenant, scopes });
      process.stderr.write(made.note);
      return made.out;
    }, true);
  }
  if (verb === 'list') return overDatabase((database) => listKeysCommand(database, { tenant }));
  if (verb === 'revoke')
    return overDatabase((database) => revokeKeyCommand(database, onlyPositional(positionals, 'a key')));
  throw new UsageError('Keys are created, listed and revoked.');
}

async function webhooks([verb, ...args]: string[]): Promise<void> {
  if (verb !== 'secret') throw new UsageError('The one thing to ask of webhooks is their "secret".');
  const { values } = parseFlags(args, { tenant: { type: 'string' }, rotate: { type: 'boolean' } });
  const { tenant = DEFAULT_TENANT, rotate = false } = values;
  return overDatabase((database) => webhookSecret(forTenant(database, tenant), { rotate }), true);
}

async function tenants([verb, ...args]: string[]): Promise<void> {
  const { values, positionals } = parseFlags(args, { yes: { type: 'boolean' } });
  if (verb === 'list') return overDatabase(listTenantsCommand);
  if (verb !== 'delete') throw new UsageError('Tenants are listed and deleted.');
  return overDatabase((database) =>
    deleteTenantCommand(database, onlyPositional(positionals, 'a tenant'), { yes: values.yes === true }),
  );
}

async function backup(args: string[]): Promise<void> {
  const { positionals } = parseFlags(args, {});
  return overDatabase((database) => backupCommand(database, onlyPositional(positionals, 'a file')));
}

const ADMINISTRATION: Readonly<Record<string, (args: string[]) => Promise<void>>> = { keys, webhooks, tenants, backup };

async function run([command, ...args]: string[]): Promise<void> {
  if (command === 'digest') return digest(args);
  if (command === 'eval') return evaluate(args);
  if (command === 'compare') return compare(args);
  if (command === 'benchmark') return runBenchmark(args);
  if (command === 'models') return models(args);
  if (command === 'serve') {
    await serve(readConfiguration(process.env));
    return;
  }
  if (command === 'work') {
    await workOnly(readConfiguration(process.env));
    return;
  }
  const administer = command === undefined ? undefined : ADMINISTRATION[command];
  if (administer !== undefined) return administer(args);
  if (command === 'help' || command === '--help') {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  throw new UsageError(command === undefined ? 'Say what to do.' : `There is no command "${command}".`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof TesseraError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${error.usage ?? USAGE}\n`);
  process.exit(1);
}
