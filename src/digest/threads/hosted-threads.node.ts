import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { isOutOfMemory, packageFile } from '../../text/index.node.ts';
import { fairQueue } from './fair-queue.ts';
import { answerCalls, type HostFunctions, OverdueError } from './host-calls.ts';
import { factsOf, type HostDeps, type HostedTask, hostFunctions } from './hosted-deps.ts';
import { type Settled, unwrap } from './thread-calls.ts';

/** An idle thread ends after this time, in milliseconds. */
const IDLE = 60_000;
/** A thread keeps so much for new values, whatever it holds; V8 would take 48. */
export const SMALL_YOUNG = { maxYoungGenerationSizeMb: 12 };
/** Milliseconds between looks at what a thread has computed. */
const LOOK = 100;
/** Piscina requires its file before it imports it, and Node aborts the process if a thread ends while it requires a module. */
const ONLY_IMPORT = process.features.require_module ? ['--no-experimental-require-module'] : [];

interface HostedThreadsOptions {
  /** In `dist/`: what threads run. It should load quickly, without native code. */
  readonly file: string;
  /** Threads: those that wait for work, and all. */
  readonly least?: number;
  readonly most: number;
  /** Milliseconds that a call may compute, beside what the host does for it. */
  readonly budget: number;
  /** Of a thread's heap; vectors and tokens lie outside. */
  readonly megabytes: number;
  readonly reportError: (failure: unknown) => void;
}

/** Threads that read untrusted texts by rules, so that these never hold the thread that serves HTTP, and that can be ended at any time. */
export function startHostedThreads({ file, least = 0, most, budget, megabytes, reportError }: HostedThreadsOptions) {
  const pool = new Piscina({
    filename: pathToFileURL(packageFile('dist', file)).href,
    execArgv: ONLY_IMPORT,
    minThreads: least,
    maxThreads: most,
    idleTimeout: IDLE,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, ...SMALL_YOUNG },
  });
  pool.on('error', reportError);
  const queue = fairQueue(most, 0);
  return {
    /**
     * Calls a function of the file by its name, once it is the turn of the rows' tenant.
     * @throws OverdueError once it has computed for too long; WorkCancelledError or an AbortError after an abort; any error of the function
     */
    run<Result>(
      name: string,
      given: readonly unknown[],
      deps: HostDeps,
      functions: HostFunctions,
      signal: AbortSignal | undefined,
    ): Promise<Result> {
      const work = async (): Promise<Result> => {
        const { port1, port2 } = new MessageChannel();
        const overdue = new AbortController();
        let looking: ReturnType<typeof setInterval> | undefined;
        const answers: Settled<Result>[] = [];
        const answer = async ([settled]: [Settled<Result>]) => answers.push(settled);
        const end = answerCalls(port1, { ...hostFunctions(deps), ...functions, answer }, (thread) => {
          const clock = pool.threads.find(({ threadId }) => threadId === thread)?.performance;
          const begun = clock?.eventLoopUtilization();
          looking = setInterval(
            () => {
              if (clock !== undefined && clock.eventLoopUtilization(begun).active > budget) overdue.abort();
            },
            Math.min(budget, LOOK),
          );
        });
        const task = { given, known: factsOf(deps), port: port2 } satisfies HostedTask;
        try {
          const ended = signal === undefined ? overdue.signal : AbortSignal.any([overdue.signal, signal]);
          await pool.run(task, { name, transferList: [port2], signal: ended });
          return unwrap(answers[0]);
        } catch (failure) {
          const isTooLarge = isOutOfMemory(failure);
          if (!overdue.signal.aborted && !isTooLarge) throw failure;
          const limit = isTooLarge ? `${megabytes} MB of memory` : `${budget / 1000} seconds of computing`;
          throw new OverdueError(`This takes more than ${limit}: send fewer or shorter texts.`);
        } finally {
          clearInterval(looking);
          end();
        }
      };
      return queue.run(deps.cache.scope, work, signal);
    },
    close: () => pool.destroy(),
  };
}
