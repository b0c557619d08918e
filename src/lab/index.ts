export type { Commands } from './cli/command.ts';
export { groupHelp, helpOf, overview } from './cli/help-text.ts';
export { nearest } from './cli/nearest.ts';
export { progressLine } from './cli/progress-line.ts';
export { UsageError } from './cli/usage-error.ts';
