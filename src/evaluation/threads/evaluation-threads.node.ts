import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { answerCalls, fairQueue, OverdueError, type Settled, unwrap } from '../../digest/index.ts';
import { isOutOfMemory, packageFile } from '../../text/index.node.ts';
import type { Evaluations } from '../evaluate.ts';
import type { EvaluationDeps } from '../judge.ts';
import type { EvaluationAnswer, EvaluationOrder } from '../metrics.ts';
import type { EvaluationTask } from './evaluation-thread.node.ts';
import { factsOf, hostFunctions } from './host.ts';

const THREAD = pathToFileURL(packageFile('dist', 'evaluation-thread.js'));

/** Evaluations at a time; each has a thread, which mostly waits for encoders or a language model. */
const AT_ONCE = 4;
/** An idle thread ends after this time, in milliseconds. */
const IDLE = 60_000;
/** Milliseconds that an evaluation may compute, beside what encoders and models do for it. */
const BUDGET = 30_000;
/** Of its heap; vectors and tokens lie outside. */
const MEGABYTES = 400;

type Options = Parameters<Evaluations['evaluate']>[2];

export interface EvaluationThreads extends Evaluations {
  close(): Promise<void>;
}

/** Threads that read untrusted texts by rules, so that these never hold the thread that serves HTTP. They load no native code. */
export function startEvaluationThreads(
  reportError: (failure: unknown) => void,
  budget = BUDGET,
  megabytes = MEGABYTES,
): EvaluationThreads {
  const pool = new Piscina({
    filename: THREAD.href,
    minThreads: 0,
    maxThreads: AT_ONCE,
    idleTimeout: IDLE,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  pool.on('error', reportError);
  const queue = fairQueue(AT_ONCE, 0);
  const run = async (order: EvaluationOrder, deps: EvaluationDeps, { readDigest, signal }: Options) => {
    const { port1, port2 } = new MessageChannel();
    const overdue = new AbortController();
    const end = answerCalls(port1, hostFunctions(deps, readDigest), budget, () => overdue.abort());
    const task: EvaluationTask = {
      order,
      known: factsOf(deps, order),
      hasDigests: readDigest !== undefined,
      port: port2,
    };
    try {
      const ended = signal === undefined ? overdue.signal : AbortSignal.any([overdue.signal, signal]);
      const answer: Settled<EvaluationAnswer> = await pool.run(task, { transferList: [port2], signal: ended });
      return unwrap(answer);
    } catch (failure) {
      const isTooLarge = isOutOfMemory(failure);
      if (!overdue.signal.aborted && !isTooLarge) throw failure;
      const most = isTooLarge ? `${megabytes} MB of memory` : `${budget / 1000} seconds of computing`;
      throw new OverdueError(`This takes more than ${most}: send fewer or shorter texts.`);
    } finally {
      end();
    }
  };
  return {
    evaluate: (order, deps, options) => queue.run(options.caller, () => run(order, deps, options), options.signal),
    close: () => pool.destroy(),
  };
}
