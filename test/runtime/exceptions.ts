import type { RuntimeName } from './runtime.ts';

/** What does not hold on a runtime, and why. Everything else holds on both. */
export const EXCEPTIONS: Readonly<Record<RuntimeName, ReadonlyMap<string, string>>> = {
  node: new Map(),
  workerd: new Map([
    [
      'a caller who hangs up cancels what they waited for',
      'workerd behind Miniflare does not tell a Worker that its caller is gone, whether enable_request_signal is set or not',
    ],
  ]),
};
