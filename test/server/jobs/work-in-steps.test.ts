import { expect, onTestFinished, test } from 'vitest';
import { type StepOptions, type Steps, workInSteps } from '../../../src/server/jobs/edge-work.ts';
import { forTenant } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { type Clock, twoConnections } from '../webhooks/kept-webhooks.ts';
import { expectConsistent } from './expect-consistent.ts';
import { attended, eventRows, HOOK, LEASE, left, onlyJob } from './hand.ts';

const START = 1_800_000_000_000;
const order = { documents: CITY.slice(0, 3), intent: CITY_INTENT, callbackUrl: HOOK };

/** Steps as an engine of workflows keeps them: what was answered is not done again. Pauses move the clock. */
class KeptSteps implements Steps {
  /** What was begun, in order: names, and pauses with their lengths. */
  readonly begun: string[] = [];
  readonly kept: Map<string, unknown>;
  readonly #clock: Clock;

  /** @param kept what a run of the same workflow before answered */
  constructor(clock: Clock, kept: Map<string, unknown> = new Map()) {
    this.#clock = clock;
    this.kept = kept;
  }

  async do<T extends string | number | boolean | null>(name: string, step: () => Promise<T>): Promise<T> {
    // Kept under this name by this very method.
    if (this.kept.has(name)) return this.kept.get(name) as T;
    this.begun.push(name);
    const answer = await step();
    this.kept.set(name, JSON.parse(JSON.stringify(answer)));
    return answer;
  }

  async sleep(name: string, milliseconds: number): Promise<void> {
    if (this.kept.has(name)) return;
    this.begun.push(`${name}: ${milliseconds} ms`);
    this.kept.set(name, null);
    this.#clock.now += milliseconds;
  }
}

/** A queue of two connections, and workflows over it, each in an isolate of its own. */
async function queue(changes: Partial<typeof order> = {}) {
  const clock = { now: START };
  const [one, two] = twoConnections(clock);
  const id = await left({ ...order, ...changes }, attended(one).deps);
  const afterwards: string[] = [];
  const workflow = (owner = 'workflow_a', kept?: Map<string, unknown>, options: Partial<StepOptions> = {}) => {
    const own = attended(one);
    onTestFinished(() => own.engine.openAll());
    const steps = new KeptSteps(clock, kept);
    const run = () =>
      workInSteps(id, own.deps, steps, {
        owner,
        leaseMilliseconds: LEASE,
        deliver: async () => void afterwards.push(owner),
        ...options,
      });
    return { ...own, steps, run };
  };
  const webhooks = async () =>
    (await two.query.select().from(schema.webhooks)).map(({ payload }) => JSON.parse(payload).type);
  return { clock, one, two, id, workflow, afterwards, webhooks };
}

test('a job is made once, in steps that carry nothing', async () => {
  const { two, id, workflow, afterwards, webhooks } = await queue();
  const { run, steps, made, happenings, failures } = workflow();
  await run();
  expect(steps.begun).toEqual(['make 1', 'tell']);
  expect([...steps.kept.values()]).toEqual([null, null]);
  expect([made, happenings, failures]).toEqual([[id], ['started', 'done'], []]);
  expect(await onlyJob(two)).toMatchObject({ state: 'done', attempt: 1, crashes: 0, retries: 3 });
  await expectConsistent(two);
  expect([await webhooks(), afterwards]).toEqual([['digest.completed'], ['workflow_a']]);
});

test('a step that is cut off half-way and run again: one end, one event of each number, one webhook', async () => {
  const { two, id, workflow, afterwards, webhooks } = await queue();
  const cut = workflow();
  const cutGate = cut.engine.hold('select');
  const dead = cut.run();
  await cutGate.reached;
  await new Promise((resolve) => setTimeout(resolve, 120)); // what it told until here may wait 100 ms to be written
  const toldBefore = (await eventRows(two)).length;
  expect(toldBefore).toBeGreaterThan(1);

  // The isolate is gone as far as anybody knows; the same workflow runs the step again, long before its lease ends.
  const next = workflow('workflow_a', new Map(cut.steps.kept));
  const nextGate = next.engine.hold('select');
  const alive = next.run();
  await nextGate.reached;
  expect(await onlyJob(two)).toMatchObject({ state: 'running', attempt: 2, crashes: 1, owner: 'workflow_a' });

  cutGate.open(); // it was not gone
  await dead;
  expect(await onlyJob(two)).toMatchObject({ state: 'running', attempt: 2 });
  expect([cut.made, cut.failures, await webhooks()]).toEqual([[], [], []]);

  nextGate.open();
  await alive;
  expect([next.made, next.failures]).toEqual([[id], []]);
  const events = await eventRows(two);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, i) => i + 1));
  expect(events.length).toBeGreaterThan(toldBefore);
  await expectConsistent(two);
  expect(await webhooks()).toEqual(['digest.completed']);
  // The one that came late found the job in other hands and went on to its last step, which does no harm.
  expect(afterwards).toEqual(['workflow_a', 'workflow_a']);
});

test('where the database goes away before the end is written, the step fails and is run again before the lease ends', async () => {
  const { id, one, two, workflow } = await queue();
  const own = workflow();
  const failure = new Error('D1 went away');
  const steps = new KeptSteps({ now: START });
  const options = { owner: 'workflow_a', leaseMilliseconds: LEASE, deliver: async () => {} };
  const base = forTenant(one, 'default');
  let taken = false;
  const database = {
    ...base,
    commit: () => Promise.reject(failure),
    write<T>(statement: () => PromiseLike<T>): Promise<T> {
      if (taken) return Promise.reject(failure);
      taken = true;
      return base.write(statement);
    },
  };
  await expect(workInSteps(id, { ...own.deps, database }, steps, options)).rejects.toBe(failure);
  expect([...steps.kept]).toEqual([]);
  expect(await onlyJob(two)).toMatchObject({ state: 'running', owner: 'workflow_a' });
  await workInSteps(id, own.deps, steps, options);
  expect(await onlyJob(two)).toMatchObject({ state: 'done' });
});
