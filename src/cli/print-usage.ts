import type { CallUsage } from '../language-models/usage.ts';

/** Calls, tokens and cost in a line; empty where no model was called. */
export function printUsage({ requests, promptTokens, completionTokens, cost }: CallUsage): string {
  if (requests === 0) return '';
  const price = cost === null ? 'at no known price' : `at a cost of ${cost.toFixed(4)}`;
  return `${requests} calls, ${promptTokens} + ${completionTokens} tokens, ${price}`;
}
