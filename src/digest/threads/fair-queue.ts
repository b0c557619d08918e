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
}

/** Share of the newest task in the mean time of a task. */
const NEWEST = 0.1;

/**
 * Slots that flows share: each gets the same time of them while it has work, however much the others have waiting, and one
 * that comes after a rest is next. Work of a flow begins in the order in which it came.
 *
 * Start-time fair queueing (Goyal, Vin & Cheng 1996): of the flows with work, the one whose last task ends first in virtual
 * time is served; what a task takes is known when it has ended, so that a mean stands for it until then.
 *
 * @param slots tasks at once
 * @param now milliseconds
 */
export function fairQueue(slots: number, now: () => number = () => performance.now()): FairQueue {
  const flows = new Map<string, Flow>();
  let free = slots;
  /** Start of the task that began last, in virtual time. */
  let virtual = 0;
  let mean = 1;

  const next = (): Waiting | undefined => {
    let first: Flow | undefined;
    for (const flow of flows.values()) {
      if (flow.waiting.length > 0 && (first === undefined || flow.finish < first.finish)) first = flow;
    }
    return first?.waiting.shift();
  };
  const fill = (): void => {
    while (free > 0) {
      const task = next();
      if (task === undefined) return;
      task.begin();
    }
  };
  return {
    run<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) return Promise.reject(new WorkCancelledError());
      const known = flows.get(name);
      const flow = known ?? { waiting: [], finish: virtual, running: 0 };
      flows.set(name, flow);
      // Time in which it asked for nothing is not saved up.
      if (flow.waiting.length === 0 && flow.running === 0) flow.finish = Math.max(flow.finish, virtual);
      return new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          const place = flow.waiting.indexOf(waiting);
          if (place >= 0) flow.waiting.splice(place, 1);
          if (flow.waiting.length === 0 && flow.running === 0) flows.delete(name);
          reject(new WorkCancelledError());
        };
        const begin = (): void => {
          signal?.removeEventListener('abort', leave);
          free--;
          flow.running++;
          virtual = Math.max(virtual, flow.finish);
          const expected = mean;
          flow.finish += expected;
          const began = now();
          const end = (): void => {
            const took = now() - began;
            flow.finish += took - expected;
            mean += NEWEST * (took - mean);
            free++;
            flow.running--;
            // A flow that has had more than its share is remembered for as long as anybody else is served.
            for (const [other, { waiting, running, finish }] of flows)
              if (waiting.length === 0 && running === 0 && (finish <= virtual || free === slots)) flows.delete(other);
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
