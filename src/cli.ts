#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import {
  allCommands,
  BENCHMARK,
  COMMANDS,
  type Commands,
  groupHelp,
  helpOf,
  nearest,
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
  if (first === '--version') {
    process.stdout.write(`${version()}\n`);
    return;
  }
  if (first !== undefined && HELP.has(first)) {
    process.stdout.write(overview(listed()));
    return;
  }
  if (first === undefined) throw new UsageError('Name a command, such as "digest" or "serve".');
  const commands = first === BENCHMARK.name ? await allCommands() : COMMANDS;
  const both = `${first} ${second}`;
  const name = Object.hasOwn(commands, both) ? both : first;
  if (!Object.hasOwn(commands, name)) return runGroup(first, second, commands);
  called = ` ${name}`;
  const rest = args.slice(name === both ? 2 : 1);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? rest.length : end).some((each) => HELP.has(each))) {
    process.stdout.write(helpOf(name, commands[name]));
    return;
  }
  await commands[name].run(rest);
}

function runGroup(first: string, second: string | undefined, commands: Commands): void {
  const below = Object.fromEntries(Object.entries(commands).filter(([name]) => name.startsWith(`${first} `)));
  const words = Object.keys(below).map((name) => name.slice(first.length + 1));
  if (words.length === 0) {
    const meant = nearest(first, [
      ...new Set([...Object.keys(COMMANDS).map((name) => name.split(' ')[0]), BENCHMARK.name]),
    ]);
    throw new UsageError(`There is no command "${first}"${meant === null ? '.' : `; did you mean "${meant}"?`}`);
  }
  called = ` ${first}`;
  if (second !== undefined && HELP.has(second)) {
    process.stdout.write(groupHelp(first, below));
    return;
  }
  const meant = second === undefined ? null : nearest(second, words);
  if (meant !== null)
    throw new UsageError(`There is no command "${first} ${second}"; did you mean "${first} ${meant}"?`);
  throw new UsageError(`Behind "${first}" stands ${words.length === 1 ? '' : 'one of '}${words.join(', ')}.`);
}

function listed(): (readonly [string, string])[] {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const);
  return [...commands, [BENCHMARK.name, BENCHMARK.summary]];
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
