import { startHostedThreads } from '../../digest/index.node.ts';
import { memoized } from '../../text/index.ts';
import type { Evaluations, ReadEvaluatedDigest } from '../evaluate.ts';
import type { EvaluatedDigest } from '../metric.ts';

/** Evaluations at a time; each has a thread, which mostly waits for encoders or a language model. */
const AT_ONCE = 4;
const BUDGET = 30_000;
const MEGABYTES = 400;

export function startEvaluationThreads(
  reportError: (failure: unknown) => void,
  budget = BUDGET,
  megabytes = MEGABYTES,
): Evaluations & { close(): Promise<void> } {
  const { run, close } = startHostedThreads({
    file: 'evaluation-thread.js',
    most: AT_ONCE,
    budget,
    megabytes,
    reportError,
  });
  return {
    evaluate: (order, deps, { readDigest, signal } = {}) =>
      run('evaluate', [order, readDigest !== undefined], deps, digestFunctions(readDigest), signal),
    close,
  };
}

function digestFunctions(readDigest: ReadEvaluatedDigest | undefined) {
  const digestOf = memoized(async (id: string): Promise<EvaluatedDigest> => {
    if (readDigest === undefined) throw new TypeError('this evaluation has no digests');
    return readDigest(id);
  });
  return {
    async digest([id]: [string]) {
      const { sentences, documents } = await digestOf(id);
      return { sentences, documents };
    },
    digestTexts: async ([id]: [string]) => (await digestOf(id)).texts(),
  };
}
