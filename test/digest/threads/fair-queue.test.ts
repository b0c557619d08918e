import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairQueue } from '../../../src/digest/threads/fair-queue.ts';

interface Task {
  readonly flow: string;
  readonly takes: number;
  readonly comes: number;
}

/** Runs tasks on a clock that jumps from one end to the next. @returns begin and end of each, in the order of the tasks */
async function scheduled(slots: number, tasks: readonly Task[], spare = 0): Promise<{ begin: number; end: number }[]> {
  let time = 0;
  const queue = fairQueue(slots, spare, () => time);
  const ends: { at: number; end: () => void }[] = [];
  const spans = tasks.map(() => ({ begin: -1, end: -1 }));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const come = tasks.map((task, index) => ({ ...task, index })).sort((a, b) => a.comes - b.comes);
  while (come.length > 0 || ends.length > 0) {
    ends.sort((a, b) => a.at - b.at);
    if (come.length > 0 && (ends.length === 0 || come[0].comes <= ends[0].at)) {
      const [{ flow, takes, index, comes }] = come.splice(0, 1);
      time = Math.max(time, comes);
      void queue.run(flow, () => {
        spans[index].begin = time;
        return new Promise<void>((resolve) => {
          ends.push({
            at: time + takes,
            end: () => {
              spans[index].end = time;
              resolve();
            },
          });
        });
      });
    } else {
      const [{ at, end }] = ends.splice(0, 1);
      time = at;
      end();
    }
    await settle();
  }
  return spans;
}

test('however much one flow has waiting, another that comes is next', async () => {
  const flood = Array.from({ length: 200 }, () => ({ flow: 'a', takes: 10, comes: 0 }));
  const spans = await scheduled(2, [...flood, { flow: 'b', takes: 10, comes: 25 }]);
  const [{ begin }] = spans.slice(-1);
  expect(begin).toBeGreaterThanOrEqual(25);
  expect(begin).toBeLessThanOrEqual(35); // what is under way ends first
});

test('flows with tasks of other lengths get the same time, and all slots are used', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 }), async (slots, long) => {
      const tasks = [
        ...Array.from({ length: 240 }, () => ({ flow: 'short', takes: 1, comes: 0 })),
        ...Array.from({ length: 240 }, () => ({ flow: 'long', takes: long, comes: 0 })),
      ];
      const spans = await scheduled(slots, tasks);
      const busy = (flow: string, until: number) =>
        spans.reduce(
          (sum, { begin, end }, i) =>
            tasks[i].flow === flow ? sum + Math.max(0, Math.min(end, until) - Math.min(begin, until)) : sum,
          0,
        );
      const both = Math.min(
        ...['short', 'long'].map((flow) =>
          Math.max(...spans.filter((_, i) => tasks[i].flow === flow).map(({ begin }) => begin)),
        ),
      );
      const [short, other] = [busy('short', both), busy('long', both)];
      expect(Math.abs(short - other)).toBeLessThanOrEqual(2 * slots * long + 0.25 * both);
      const all = Math.max(...spans.map(({ end }) => end));
      expect(all).toBeLessThanOrEqual((240 + 240 * long) / slots + long + 1);
    }),
    { seed: 3, numRuns: 25 },
  );
});

test('a light flow does not wait for tasks of others, and takes a spare slot only where all others are taken', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 20, max: 200 }), async (slots, long) => {
      const flood = Array.from({ length: 40 }, () => ({ flow: 'heavy', takes: long, comes: 0 }));
      const light = Array.from({ length: 10 }, (_, i) => ({ flow: 'light', takes: 1, comes: 2 * long + 7 * i }));
      const spans = await scheduled(slots, [...flood, ...light], 1);
      const during = light.map(({ comes }, i) => ({ comes, ...spans[flood.length + i] }));
      for (const { begin, comes } of during) expect(begin).toBe(comes);
      for (const { begin } of spans) {
        const others = spans.filter((each, i) => i < flood.length && each.begin <= begin && begin < each.end).length;
        expect(others).toBeLessThanOrEqual(slots);
      }
    }),
    { seed: 5, numRuns: 25 },
  );
});

test('while a light flow comes again and again, its share is kept for it, and given back when it stays away', async () => {
  const flood = Array.from({ length: 60 }, () => ({ flow: 'heavy', takes: 20, comes: 0 }));
  const light = Array.from({ length: 10 }, (_, i) => ({ flow: 'light', takes: 5, comes: 100 + 30 * i }));
  const spans = await scheduled(2, [...flood, ...light], 1);
  const others = (at: number): number =>
    spans.filter(({ begin, end }, i) => i < flood.length && begin <= at && at < end).length;
  for (const { begin } of spans.slice(flood.length + 1)) expect(others(begin)).toBe(1);
  expect([others(90), others(500)]).toEqual([2, 2]);
});

test('what was called off never begins, and leaves the queue to the others', async () => {
  const queue = fairQueue(1, 0);
  let end = () => {};
  const first = queue.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const gone = new AbortController();
  let began = false;
  const second = queue.run(
    'a',
    async () => {
      began = true;
    },
    gone.signal,
  );
  const third = queue.run('b', async () => 'done');
  gone.abort();
  await expect(second).rejects.toThrow('The caller is gone');
  end();
  await first;
  expect(await third).toBe('done');
  expect(began).toBe(false);
  await expect(queue.run('a', async () => 1, AbortSignal.abort())).rejects.toThrow('The caller is gone');
});

test('work that fails, at once or later, gives its slot back', async () => {
  const queue = fairQueue(1, 0);
  const thrown = queue.run('a', () => {
    throw new Error('at once');
  });
  await expect(thrown).rejects.toThrow('at once');
  await expect(queue.run('a', async () => Promise.reject(new Error('later')))).rejects.toThrow('later');
  expect(await queue.run('a', async () => 2)).toBe(2);
});
