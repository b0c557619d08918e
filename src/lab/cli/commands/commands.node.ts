import type { Commands } from '../command.ts';
import { ADMINISTRATION } from './administer.node.ts';
import { completionCommand } from './completion.node.ts';
import { digestCommand } from './digest.node.ts';
import { pullCommand } from './models.node.ts';
import { compareCommand, evalCommand, evalJudgeCommand } from './score.node.ts';
import { serveCommand, workCommand } from './serve.node.ts';

/** The first word of the commands that make and run benchmarks. */
export const BENCHMARK = {
  name: 'benchmark',
  summary: 'Make reference sets, look at them, and run systems over them.',
};

/** What is called, but for benchmarks. What a command needs is loaded when it runs: help comes at once. */
export const COMMANDS: Commands = {
  digest: digestCommand,
  serve: serveCommand,
  work: workCommand,
  ...ADMINISTRATION,
  'models pull': pullCommand,
  eval: evalCommand,
  'eval judge': evalJudgeCommand,
  compare: compareCommand,
  completion: completionCommand(allCommands),
};

/** Every command; those of benchmarks take a while to load. */
export async function allCommands(): Promise<Commands> {
  const { BENCHMARKS } = await import('../benchmark.node.ts');
  return { ...COMMANDS, ...BENCHMARKS };
}
