import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collections } from './behaviour/collections.ts';
import { digests } from './behaviour/digests.ts';
import { evaluations } from './behaviour/evaluations.ts';
import { experiments } from './behaviour/experiments.ts';
import { orphanedJobs } from './behaviour/forgotten-jobs.ts';
import { idempotency } from './behaviour/idempotency.ts';
import { jobs } from './behaviour/jobs.ts';
import { keyPoints } from './behaviour/key-points.ts';
import { keys } from './behaviour/keys.ts';
import { limits } from './behaviour/limits.ts';
import { page } from './behaviour/page.ts';
import { problems } from './behaviour/problems.ts';
import { selections } from './behaviour/selections.ts';
import { webhooks } from './behaviour/webhooks.ts';
import { wholeService } from './behaviour/whole-service.ts';
import { EXCEPTIONS } from './exceptions.ts';
import type { Runtime, RuntimeName } from './runtime.ts';
import { type Service, type Suite, serviceOver } from './service.ts';

/** In this order: from the first key on nobody is served without one. */
const SUITES: Readonly<Record<string, Suite>> = {
  'the whole service': wholeService,
  digests,
  selections,
  'key points': keyPoints,
  collections,
  evaluations,
  experiments,
  jobs,
  'forgotten jobs': orphanedJobs,
  webhooks,
  page,
  idempotency,
  problems,
  limits,
  keys,
};

/**
 * Holds a runtime to all that is said of the service. What is excepted is shown not to hold, so that the table of exceptions
 * cannot grow old.
 */
export function behavesOn(name: RuntimeName, start: () => Promise<Runtime>): void {
  let service: Service;
  beforeAll(async () => {
    service = serviceOver(await start());
  });
  afterAll(() => service.runtime.close());

  const reasons = EXCEPTIONS[name];
  const said: string[] = [];
  for (const [title, suite] of Object.entries(SUITES)) {
    describe(title, () =>
      suite((what, show) => {
        said.push(what);
        const reason = reasons.get(what);
        if (reason === undefined) test(what, () => show(service));
        else test.fails(`not here: ${what} (${reason})`, () => show(service));
      }),
    );
  }
  test('everything excepted is something that is said', () => {
    expect(new Set(said).size).toBe(said.length);
    expect([...reasons.keys()].filter((what) => !said.includes(what))).toEqual([]);
  });
}
