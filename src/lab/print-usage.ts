import type { CallUsage } from '../models/index.ts';

/** Calls, tokens and cost in a line; empty where no model was called. */
export function printUsage({ requests, promptTokens, completionTokens, cost }: CallUsage): string {
  if (requests === 0) return '';
  const price = cost === null ? 'at no known price' : `at a cost of ${cost.toFixed(4)}`;
  return `${requests} calls, ${promptTokens} + ${completionTokens} tokens, ${price}`;
}

/** How long something took and what it asked, in a line. */
export function tookLine(milliseconds: number, usage: CallUsage): string {
  const calls = printUsage(usage);
  return `${(milliseconds / 1000).toFixed(1)} s${calls === '' ? '' : `, ${calls}`}\n`;
}
