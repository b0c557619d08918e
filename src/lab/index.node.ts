export { allCommands, BENCHMARK, COMMANDS } from './cli/commands/commands.node.ts';
export { digestHere } from './cli/digest-files.node.ts';
export { printDigest } from './cli/print-digest.node.ts';
