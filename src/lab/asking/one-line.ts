import { withoutUnseen } from '../../models/index.ts';

/** What a model wrote, on one line, as a reader sees it. */
export function oneLine(text: string): string {
  return withoutUnseen(text).replace(/\s+/gu, ' ').trim();
}

/** Lines that begin with their number, from 1. */
export function numbered(lines: readonly string[]): string {
  return lines.map((line, place) => `${place + 1}. ${line}`).join('\n');
}
