export { allCommands, BENCHMARK, COMMANDS } from './commands/commands.node.ts';
export { printDigest } from './print-digest.node.ts';
