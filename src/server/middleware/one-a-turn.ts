import type { MiddlewareHandler } from 'hono';
import { nextTurn } from '../../text/index.ts';
import type { ServiceEnv } from '../service-env.ts';

/**
 * Has one request with a body begin in each turn of the event loop: reading, checking and storing bodies takes milliseconds
 * each, and many that come at once would hold the loop together. Tenants begin in turn, each its own in the order in which
 * they came.
 */
export function oneATurn(): MiddlewareHandler<ServiceEnv> {
  const waiting = new Map<string, (() => void)[]>();
  let isTaken = false;
  const letIn = async (): Promise<void> => {
    isTaken = true;
    for (;;) {
      await nextTurn();
      const [first] = waiting;
      if (first === undefined) break;
      const [tenant, line] = first;
      const begin = line.shift();
      waiting.delete(tenant);
      if (line.length > 0) waiting.set(tenant, line); // behind all other tenants
      begin?.();
    }
    isTaken = false;
  };
  return async (context, next) => {
    if (!['POST', 'PUT', 'PATCH'].includes(context.req.method)) return next();
    if (isTaken) {
      const { tenant } = context.var.caller;
      await new Promise<void>((begin) => {
        const line = waiting.get(tenant);
        if (line === undefined) waiting.set(tenant, [begin]);
        else line.push(begin);
      });
    } else void letIn();
    return next();
  };
}
