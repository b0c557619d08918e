import { WorkCancelledError } from './cancellable.ts';

interface FairQueue {
  /**
   * Does work as soon as a slot is free and it is the flow's turn.
   *
   * @param signal takes work that has not begun out of the queue
   * @throws WorkCancelledError where it was taken out, and what the work throws
   */
  run<T>(flow: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  readonly begin: () => void;
}

interface Flow {
  readonly waiting: Waiting[];
  /** Virtual time at which all that the flow was given is done. */
  finish: number;
  running: number;
  /** Time that it was given lately: what was given `LATELY` ago counts 1/e. */
  used: number;
  /** When `used` was brought up to date. */
  usedAt: number;
  /** When the last of its tasks ended. */
  endedAt: number;
}

/** Share of the newest task in the mean time of a task. */
const NEWEST = 0.1;
/** Milliseconds. */
const LATELY = 10_000;
/** A flow is light that lately was given less than this share of what the heaviest was given. */
const LIGHT = 0.5;
/** Milliseconds within which a light flow comes again, if what it does has further parts. */
const AGAIN = 50;
/** Milliseconds of use below which a flow without work is forgotten. */
const NOTHING = 1;

/**
 * Slots that flows share: each gets the same time of them while it has work, however much the others have waiting, and one
 * that comes after a rest is next. Work of a flow begins in the order in which it came.
 *
 * Start-time fair queueing (Goyal, Vin & Cheng 1996): of the flows with work, the one whose last task ends first in virtual
 * time is served; what a task takes is known when it has ended, so that a mean stands for it until then.
 *
 * A light flow, one that lately was given far less than the heaviest, does not wait for the end of a task that cannot be
 * interrupted: where all slots are taken, it has the spare ones. And as long as it comes again and again, the slot that is its
 * share stays free for it (as disk schedulers anticipate: Iyer & Druschel 2001), so that the others do not take up the cores.
 *
 * @param slots tasks at once
 * @param spare tasks of light flows at once beyond those
 * @param now milliseconds
 */
export function fairQueue(slots: number, spare: number, now: () => number = () => performance.now()): FairQueue {
  const flows = new Map<string, Flow>();
  let running = 0;
  /** Start of the task that began last, in virtual time. */
  let virtual = 0;
  let mean = 1;

  const use = (flow: Flow, time: number): number => {
    const at = now();
    flow.used = flow.used * Math.exp((flow.usedAt - at) / LATELY) + time;
    flow.usedAt = at;
    return flow.used;
  };
  const next = (): Waiting | undefined => {
    let heaviest = 0;
    for (const flow of flows.values()) heaviest = Math.max(heaviest, use(flow, 0));
    const isLight = (flow: Flow): boolean => flow.used < LIGHT * heaviest;
    let isLightRunning = false;
    let isLightExpected = false;
    for (const flow of flows.values()) {
      if (!isLight(flow)) continue;
      isLightRunning ||= flow.running > 0;
      isLightExpected ||= now() - flow.endedAt < AGAIN;
    }
    // One that runs counts among those that run. The only slot is never kept, as nothing would tell when to give it away.
    const kept = isLightExpected && !isLightRunning && slots > 1 ? 1 : 0;
    let first: Flow | undefined;
    for (const flow of flows.values()) {
      const isServed = running < (isLight(flow) ? slots + spare : slots - kept);
      if (flow.waiting.length > 0 && isServed && (first === undefined || flow.finish < first.finish)) first = flow;
    }
    return first?.waiting.shift();
  };
  const fill = (): void => {
    while (running < slots + spare) {
      const task = next();
      if (task === undefined) return;
      task.begin();
    }
  };
  const forget = (): void => {
    // Who has had more than its share is held to it for as long as anybody else is served.
    if (running === 0) virtual = Math.max(virtual, ...[...flows.values()].map(({ finish }) => finish));
    for (const [name, flow] of flows) {
      const isDone = flow.waiting.length === 0 && flow.running === 0 && flow.finish <= virtual;
      if (isDone && use(flow, 0) < NOTHING) flows.delete(name);
    }
  };
  return {
    run<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) return Promise.reject(new WorkCancelledError());
      const known = flows.get(name);
      const flow = known ?? { waiting: [], finish: virtual, running: 0, used: 0, usedAt: now(), endedAt: -Infinity };
      flows.set(name, flow);
      // Time in which it asked for nothing is not saved up.
      if (flow.waiting.length === 0 && flow.running === 0) flow.finish = Math.max(flow.finish, virtual);
      return new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          const place = flow.waiting.indexOf(waiting);
          if (place >= 0) flow.waiting.splice(place, 1);
          reject(new WorkCancelledError());
        };
        const begin = (): void => {
          signal?.removeEventListener('abort', leave);
          running++;
          flow.running++;
          virtual = Math.max(virtual, flow.finish);
          const expected = mean;
          flow.finish += expected;
          use(flow, expected);
          const began = now();
          const end = (): void => {
            const took = now() - began;
            flow.finish += took - expected;
            use(flow, took - expected);
            mean += NEWEST * (took - mean);
            running--;
            flow.running--;
            flow.endedAt = now();
            forget();
            fill();
          };
          let working: Promise<T>;
          try {
            working = work();
          } catch (failure) {
            working = Promise.reject(failure);
          }
          working.then(resolve, reject).then(end);
        };
        const waiting: Waiting = { begin };
        flow.waiting.push(waiting);
        signal?.addEventListener('abort', leave, { once: true });
        fill();
      });
    },
  };
}
