export type { Commands } from './command.ts';
export { groupHelp, helpOf, overview } from './help-text.ts';
export { nearest } from './nearest.ts';
export { progressLine } from './progress-line.ts';
export { UsageError } from './usage-error.ts';
