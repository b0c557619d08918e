import type { RuntimeName } from './runtime.ts';

/** What does not hold on a runtime, and why. Everything else holds on both. */
export const EXCEPTIONS: Readonly<Record<RuntimeName, ReadonlyMap<string, string>>> = {
  node: new Map(),
  workerd: new Map([
    [
      'a caller who hangs up cancels what they waited for',
      'a Worker is not told that its caller is gone unless the flag enable_request_signal is set',
    ],
  ]),
};
