#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import {
  allCommands,
  BENCHMARK,
  COMMANDS,
  type Commands,
  groupHelp,
  helpOf,
  overview,
  UsageError,
} from './cli/index.node.ts';
import { packageFile } from './text/index.node.ts';
import { TesseraError } from './text/index.ts';

const HELP = new Set(['--help', '-h']);

let called = '';

async function run(args: readonly string[]): Promise<void> {
  const [first, second] = args;
  if (first === 'help') return run([...args.slice(1), '--help']);
  if (first === undefined) throw new UsageError('Name a command, such as "digest" or "serve".');
  if (first === '--version') return print(`${version()}\n`);
  if (HELP.has(first)) return print(overview({ ...COMMANDS, benchmark: BENCHMARK }));
  const commands = first === 'benchmark' ? await allCommands() : COMMANDS;
  const both = `${first} ${second}`;
  const name = Object.hasOwn(commands, both) ? both : first;
  if (!Object.hasOwn(commands, name)) return runGroup(first, second, commands);
  called = ` ${name}`;
  const rest = args.slice(name === both ? 2 : 1);
  const end = rest.indexOf('--');
  const isAsking = rest.slice(0, end < 0 ? rest.length : end).some((each) => HELP.has(each));
  return isAsking ? print(helpOf(name, commands[name])) : commands[name].run(rest);
}

function runGroup(group: string, second: string | undefined, commands: Commands): void {
  const below = Object.fromEntries(Object.entries(commands).filter(([name]) => name.startsWith(`${group} `)));
  const words = Object.keys(below).map((name) => name.slice(group.length + 1));
  if (words.length === 0) throw new UsageError(`There is no command "${group}".`);
  called = ` ${group}`;
  if (second === undefined || !HELP.has(second)) {
    throw new UsageError(`Behind "${group}" stands ${words.length === 1 ? '' : 'one of '}${words.join(', ')}.`);
  }
  print(groupHelp(group, below));
}

function print(text: string): void {
  process.stdout.write(text);
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return String((manifest as { version: string }).version); // our own, beside the built files as beside the source
}

// A reader such as "head" may close the pipe early.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  if (failure.code !== 'EPIPE') throw failure;
  process.exit();
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message} See "tessera${called} --help".\n`);
    process.exit(2);
  }
  const isKnown = error instanceof TesseraError;
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
