export { type Commands, UsageError } from './command.node.ts';
export { allCommands, BENCHMARK, COMMANDS } from './commands.node.ts';
export { groupHelp, helpOf, overview } from './help.ts';
