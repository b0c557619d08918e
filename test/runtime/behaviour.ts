import { describe, test } from 'vitest';
import { agents } from './behaviour/agents.ts';
import { collections } from './behaviour/collections.ts';
import { digests } from './behaviour/digests.ts';
import { experiments } from './behaviour/experiments.ts';
import { orphanedJobs } from './behaviour/forgotten-jobs.ts';
import { idempotency } from './behaviour/idempotency.ts';
import { jobs } from './behaviour/jobs.ts';
import { keys } from './behaviour/keys.ts';
import { limits } from './behaviour/limits.ts';
import { page } from './behaviour/page.ts';
import { scans } from './behaviour/scans.ts';
import { subscriptions } from './behaviour/subscriptions.ts';
import { webhooks } from './behaviour/webhooks.ts';
import type { Service, Suite } from './service.ts';

/** In this order: from the first key on nobody is served without one. */
const SUITES: Readonly<Record<string, Suite>> = {
  digests,
  collections,
  scans,
  agents,
  experiments,
  jobs,
  'forgotten jobs': orphanedJobs,
  webhooks,
  subscriptions,
  page,
  idempotency,
  limits,
  keys,
};

/** Holds a runtime to all that is said of the service. What is excepted is shown not to hold, so that exceptions cannot grow old. */
export function behaves(service: () => Service, exceptions: Readonly<Record<string, string>> = {}): void {
  for (const [title, suite] of Object.entries(SUITES)) {
    describe(title, () =>
      suite((what, show) => {
        const reason = exceptions[what];
        if (reason === undefined) test(what, () => show(service()));
        else test.fails(`not here: ${what} (${reason})`, () => show(service()));
      }),
    );
  }
}
