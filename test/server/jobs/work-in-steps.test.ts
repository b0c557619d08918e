import { expect, onTestFinished, test } from 'vitest';
import { cancelDigest } from '../../../src/server/jobs/cancel-digest.ts';
import { type StepOptions, type Steps, workInSteps } from '../../../src/server/jobs/work-in-steps.ts';
import { claimJob, deleteDigest, forTenant, takeJob } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { type Clock, twoConnections } from '../webhooks/kept-webhooks.ts';
import { attended, left, NOBODY } from './attended.ts';
import { expectConsistent } from './expect-consistent.ts';
import { eventRows, HOOK, LEASE, onlyJob, told, written } from './hand.ts';

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

test('run again as a whole it does nothing, whether its answers were kept or not', async () => {
  const { two, workflow, webhooks } = await queue();
  const first = workflow();
  await first.run();
  const before = await written(two);
  const replayed = workflow('workflow_a', first.steps.kept);
  await replayed.run();
  expect(replayed.steps.begun).toEqual([]);
  const forgotten = workflow('workflow_a');
  await forgotten.run();
  expect(forgotten.steps.begun).toEqual(['make 1', 'tell']);
  expect(await written(two)).toEqual(before);
  expect([replayed.made, forgotten.made, forgotten.engine.extracted]).toEqual([[], [], []]);
  expect(await webhooks()).toHaveLength(1);
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

test('a step that is cut off when the job had ended already', async () => {
  const { two, id, workflow, webhooks } = await queue();
  const first = workflow();
  await first.run();
  first.steps.kept.clear(); // the answer of the step was lost on its way
  const again = workflow('workflow_a', first.steps.kept);
  await again.run();
  expect([first.made, again.made, await webhooks()]).toEqual([[id], [], ['digest.completed']]);
  expect(await onlyJob(two)).toMatchObject({ state: 'done', attempt: 1 });
});

test('after a failure that may pass it pauses, longer each time, and is then done', async () => {
  const { two, id, workflow, webhooks } = await queue();
  const { run, engine, steps, made, happenings, failures } = workflow();
  engine.rankFailures.push(new Error('one'), new Error('two'));
  await run();
  expect(steps.begun).toEqual(['make 1', 'pause 1: 1000 ms', 'make 2', 'pause 2: 5000 ms', 'make 3', 'tell']);
  expect(happenings).toEqual(['started', 'retried', 'started', 'retried', 'started', 'done']);
  expect([made, failures.map(String)]).toEqual([[id], ['Error: one', 'Error: two']]);
  expect(await onlyJob(two)).toMatchObject({ state: 'done', attempt: 3, retries: 1, crashes: 0 });
  await expectConsistent(two);
  expect(await webhooks()).toEqual(['digest.completed']);
});

test('and failed where it does not pass', async () => {
  const { two, workflow, webhooks, afterwards } = await queue();
  const { run, engine, steps, happenings } = workflow();
  engine.rankFailures.push(...Array.from({ length: 9 }, () => new Error('a secret')));
  await run();
  const pauses = steps.begun.filter((name) => name.startsWith('pause'));
  expect(pauses).toEqual(['pause 1: 1000 ms', 'pause 2: 5000 ms', 'pause 3: 30000 ms']);
  expect(steps.begun.slice(-2)).toEqual(['make 4', 'tell']);
  expect(happenings.at(-1)).toBe('failed');
  const job = await onlyJob(two);
  expect(job).toMatchObject({ state: 'failed', attempt: 4, retries: 0 });
  expect(job.problem).not.toContain('secret');
  expect((await told(two)).filter((event) => event !== 'accepted' && event !== 'progress')).toEqual(['error']);
  expect([await webhooks(), afterwards]).toEqual([['digest.failed'], ['workflow_a']]);
});

test('a workflow that is run again in its pause goes on with the pauses that are left', async () => {
  const { workflow, id } = await queue();
  const first = workflow();
  first.engine.rankFailures.push(new Error('one'));
  const cut = new Error('cut off');
  const { steps } = first;
  steps.sleep = async () => {
    throw cut;
  };
  await expect(first.run()).rejects.toBe(cut);
  expect([...steps.kept]).toEqual([['make 1', 1_000]]);
  const second = workflow('workflow_a', steps.kept);
  await second.run();
  expect(second.steps.begun).toEqual(['pause 1: 1000 ms', 'make 2', 'tell']);
  expect(second.made).toEqual([id]);
});

test('a job that comes before its time is waited for', async () => {
  const { clock, two, workflow, id } = await queue();
  await two.query.update(schema.jobs).set({ notBefore: clock.now + 1_234 });
  const { run, steps, made } = workflow();
  await run();
  expect(steps.begun).toEqual(['make 1', 'pause 1: 1234 ms', 'make 2', 'tell']);
  expect(made).toEqual([id]);
});

test.each(['cancelled', 'removed'])('a job that was %s before ends it quietly', async (how) => {
  const { one, two, id, workflow, webhooks } = await queue();
  if (how === 'cancelled') await cancelDigest(id, attended(one).deps, NOBODY);
  else await two.query.delete(schema.digests);
  const before = [await written(two), await webhooks()];
  const { run, steps, engine, happenings, failures } = workflow();
  await run();
  expect(steps.begun).toEqual(['make 1', 'tell']);
  expect([engine.extracted, happenings, failures]).toEqual([[], [], []]);
  expect([await written(two), await webhooks()]).toEqual(before);
});

test.each(['cancelled', 'removed'])('a job that was %s while it is made ends it quietly', async (how) => {
  const { one, two, id, workflow, webhooks } = await queue();
  const { run, steps, engine, made, failures } = workflow('workflow_a', undefined, { leaseMilliseconds: 30 });
  const gate = engine.hold('select');
  const running = run();
  await gate.reached;
  if (how === 'cancelled') await cancelDigest(id, attended(one).deps, NOBODY);
  else await two.query.delete(schema.digests);
  await new Promise((resolve) => setTimeout(resolve, 130)); // signs of life every 10 ms; writes wait 100 ms
  const before = await written(two);
  gate.open();
  await running;
  expect(steps.begun).toEqual(['make 1', 'tell']);
  expect(made).toEqual([]);
  expect(failures.map(String)).toEqual([]);
  expect(await written(two)).toEqual(before);
  expect(await webhooks()).toEqual(how === 'cancelled' ? ['digest.cancelled'] : []);
});

test('two workflows of one job make one digest', async () => {
  const { two, id, workflow, webhooks } = await queue();
  const both = [workflow('workflow_a'), workflow('workflow_b')];
  await Promise.all(both.map(({ run }) => run()));
  expect(both.flatMap(({ made }) => made)).toEqual([id]);
  expect(both.map(({ engine }) => engine.extracted.length).toSorted()).toEqual([0, order.documents.length]);
  expect(both.flatMap(({ failures }) => failures)).toEqual([]);
  expect(await onlyJob(two)).toMatchObject({ attempt: 1, crashes: 0 });
  await expectConsistent(two);
  expect(await webhooks()).toEqual(['digest.completed']);
});

test('a job that a dead request held is taken over as a crash, and so is one of its own that was cut off', async () => {
  const { clock, two, id, workflow } = await queue();
  await claimJob(two, 'request_gone', LEASE);
  const early = workflow();
  await early.run(); // the lease holds: it is another's
  expect([early.made, await onlyJob(two)]).toMatchObject([[], { attempt: 1, owner: 'request_gone' }]);
  clock.now += LEASE + 1;
  expect(await takeJob(two, id, 'workflow_b', LEASE)).toMatchObject({ attempt: 2, crashes: 1 });
  expect(await takeJob(two, id, 'workflow_b', LEASE)).toMatchObject({ attempt: 3, crashes: 2 });
  const { run, made, happenings } = workflow('workflow_b');
  await run();
  expect([made, happenings]).toEqual([[id], ['taken-over', 'done']]);
  expect(await onlyJob(two)).toMatchObject({ state: 'done', attempt: 4, crashes: 3 });
});

test('where the database is away the step fails, and the workflow engine does it again', async () => {
  const { id, one, workflow } = await queue();
  const own = workflow();
  const failure = new Error('D1 is away');
  const steps = new KeptSteps({ now: START });
  const options = { owner: 'workflow_a', leaseMilliseconds: LEASE, deliver: async () => {} };
  const away = { ...own.deps, database: { ...forTenant(one, 'default'), write: () => Promise.reject(failure) } };
  await expect(workInSteps(id, away, steps, options)).rejects.toBe(failure);
  expect([...steps.kept]).toEqual([]);
  await workInSteps(id, own.deps, steps, options);
  expect(own.made).toEqual([id]);
});

test('an id that nobody knows, or whose digest the tenant deletes after its end', async () => {
  const { one, two, id, workflow } = await queue();
  const steps = new KeptSteps({ now: START });
  const options = { owner: 'workflow_a', leaseMilliseconds: LEASE, deliver: async () => {} };
  await workInSteps('dig_unknown', attended(one).deps, steps, options);
  expect(steps.begun).toEqual(['make 1', 'tell']);
  const { run } = workflow();
  await run();
  expect(await deleteDigest(two, id)).toBe(true);
  const late = workflow('workflow_b');
  await late.run();
  expect([late.steps.begun, late.failures]).toEqual([['make 1', 'tell'], []]);
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
