import { availableParallelism } from 'node:os';
import type { CellEvent, Progress, SummarySentence } from '../../contract/index.ts';
import type { DigestWork } from '../digest-work.ts';
import type { Checkpoints } from '../run.ts';
import type { GivenRun } from './digest-thread.node.ts';
import { startHostedThreads } from './hosted-threads.node.ts';

/** 1,000 documents with 14,000 key points compute for less than 3 seconds here, in less than 250 MB. */
const BUDGET = 120_000;
const MEGABYTES = 600;

/**
 * Reads texts, a model's words among them, in threads. What is no digest has threads of its own, so that no digest waits for it.
 * @param most digests at once; a thread is kept, so that a small one need not start it
 */
export function startDigestThreads(
  most: number,
  reportError: (failure: unknown) => void,
  budget = BUDGET,
  megabytes = MEGABYTES,
): DigestWork & { close(): Promise<void> } {
  const file = 'digest-thread.js';
  const digests = startHostedThreads({ file, least: 1, most, budget, megabytes, reportError });
  const others = startHostedThreads({ file, most: availableParallelism(), budget, megabytes, reportError });
  return {
    makeDigest(request, deps, { id, checkpoints, onProgress, onSentence } = {}, signal) {
      const { save, ...kept } = checkpoints ?? { save: undefined };
      const given = {
        ...(id && { id }),
        checkpoints: 'kept' in kept ? kept : undefined,
        isFollowed: onSentence !== undefined,
      };
      const functions = {
        progress: async ([progress]: [Progress]) => onProgress?.(progress),
        sentence: async ([sentence]: [SummarySentence]) => onSentence?.(sentence),
        save: async (step: Parameters<Checkpoints['save']>) => save?.(...step),
      };
      return digests.run('makeDigest', [request, given satisfies GivenRun], deps, functions, signal);
    },
    makeTable(request, deps, { onProgress, onCell } = {}, signal) {
      const functions = {
        progress: async ([progress]: [Progress]) => onProgress?.(progress),
        cell: async ([cell]: [CellEvent]) => onCell?.(cell),
      };
      return others.run('makeTable', [request], deps, functions, signal);
    },
    extractKeyPoints: (request, deps, signal) => others.run('extractKeyPoints', [request], deps, {}, signal),
    prepareDocuments(documents, deps, { onProgress } = {}, signal) {
      const functions = { progress: async ([progress]: [Progress]) => onProgress?.(progress) };
      return others.run('prepareDocuments', [documents], deps, functions, signal);
    },
    close: async () => {
      await Promise.all([digests.close(), others.close()]);
    },
  };
}
