export type { Commands } from './command.node.ts';
export { allCommands, BENCHMARK, COMMANDS } from './commands.node.ts';
export { groupHelp, helpOf, overview } from './help.ts';
export { nearest } from './parse-flags.node.ts';
export { UsageError } from './usage-error.ts';
