import { WorkCancelledError } from '../errors.ts';

interface Flow {
  /** Each begins its task. */
  readonly waiting: (() => void)[];
  finish: number;
  running: number;
  used: number;
  usedAt: number;
  endedAt: number;
}

const NEWEST = 0.1;
const LATELY = 10_000;
/** A flow is light below this share of the heaviest flow's recent use. */
const LIGHT = 0.5;
/** Milliseconds to wait for the next task of a light flow. */
const AGAIN = 50;
/** Forget an idle flow with less recent use, in milliseconds. */
const NOTHING = 1;

/**
 * Shares slots equally between flows with work, regardless of queue length; a flow that returns from idle is next, and each runs its work
 * in order. Start-time fair queueing (Goyal, Vin & Cheng 1996) serves the flow whose last task ends first in virtual time, with the mean
 * duration for running tasks. Light flows may use spare slots, and one slot stays free for an expected task (anticipatory scheduling: Iyer
 * & Druschel 2001).
 *
 * @param slots concurrent tasks
 * @param spare additional concurrent tasks of light flows
 * @param now milliseconds
 */
export function fairQueue(slots: number, spare: number, now: () => number = () => performance.now()) {
  const flows = new Map<string, Flow>();
  let running = 0;
  /** Virtual start of the latest task. */
  let virtual = 0;
  let mean = 1;

  const use = (flow: Flow, time: number): number => {
    const at = now();
    flow.used = flow.used * Math.exp((flow.usedAt - at) / LATELY) + time;
    flow.usedAt = at;
    return flow.used;
  };
  const next = (): (() => void) | undefined => {
    const all = [...flows.values()];
    const heaviest = Math.max(0, ...all.map((flow) => use(flow, 0)));
    const isLight = (flow: Flow): boolean => flow.used < LIGHT * heaviest;
    const light = all.filter(isLight);
    const isExpected = light.some(({ endedAt }) => now() - endedAt < AGAIN);
    // A running light flow already has its slot. Nothing would release a single slot kept free.
    const kept = isExpected && !light.some((flow) => flow.running > 0) && slots > 1 ? 1 : 0;
    const [first] = all
      .filter((flow) => flow.waiting.length > 0 && running < (isLight(flow) ? slots + spare : slots - kept))
      .sort((a, b) => a.finish - b.finish);
    return first?.waiting.shift();
  };
  const fill = (): void => {
    for (let begin = next(); begin !== undefined; begin = next()) begin();
  };
  const forget = (): void => {
    // Flows that exceeded their share stay behind while others are served.
    if (running === 0) virtual = Math.max(virtual, ...[...flows.values()].map(({ finish }) => finish));
    for (const [name, flow] of flows) {
      const isDone = flow.waiting.length === 0 && flow.running === 0 && flow.finish <= virtual;
      if (isDone && use(flow, 0) < NOTHING) flows.delete(name);
    }
  };
  return {
    /** Runs work if a slot is free and it is the flow's turn. @throws WorkCancelledError if removed, or any error of the work */
    run<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) return Promise.reject(new WorkCancelledError());
      const known = flows.get(name);
      const flow = known ?? { waiting: [], finish: virtual, running: 0, used: 0, usedAt: now(), endedAt: -Infinity };
      flows.set(name, flow);
      // Idle time earns no credit.
      if (flow.waiting.length === 0 && flow.running === 0) flow.finish = Math.max(flow.finish, virtual);
      return new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          const place = flow.waiting.indexOf(begin);
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
          const working = async (): Promise<T> => work();
          working().then(resolve, reject).then(end);
        };
        flow.waiting.push(begin);
        signal?.addEventListener('abort', leave, { once: true });
        fill();
      });
    },
  };
}
