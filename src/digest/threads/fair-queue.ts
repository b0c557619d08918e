import { WorkCancelledError } from '../errors.ts';

interface FairQueue {
  /**
   * Does work as soon as a slot is free and it is the flow's turn.
   *
   * @throws WorkCancelledError if it was removed, or what the work throws
   */
  run<T>(flow: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  readonly begin: () => void;
}

interface Flow {
  readonly waiting: Waiting[];
  /** Virtual time at which all work of the flow is done. */
  finish: number;
  running: number;
  used: number;
  /** Time of the last update of `used`. */
  usedAt: number;
  endedAt: number;
}

const NEWEST = 0.1;
const LATELY = 10_000;
/** A flow is light if its recent use is below this share of the heaviest flow's. */
const LIGHT = 0.5;
/** Milliseconds within which the next task of a light flow is expected. */
const AGAIN = 50;
/** An idle flow with less recent use, in milliseconds, is forgotten. */
const NOTHING = 1;

/**
 * Shares slots between flows: flows with work get equal time, however much the others have waiting, and a flow that returns from a rest
 * is next. The work of a flow begins in order.
 *
 * Start-time fair queueing (Goyal, Vin & Cheng 1996) serves the flow whose last task ends first in virtual time; the mean duration
 * stands in for that of a running task. A light flow does not wait for long tasks: it may use the spare slots, and while its next task
 * is expected, one slot stays free for it (anticipatory scheduling: Iyer & Druschel 2001).
 *
 * @param slots concurrent tasks
 * @param spare additional concurrent tasks of light flows
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
    // A running light flow already has its slot. A single slot is never kept free, since nothing would release it.
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
    // Flows that used more than their share are held to it as long as others are served.
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
      // Idle time is not saved up.
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
