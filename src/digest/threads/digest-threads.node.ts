import type { Progress, SummarySentence } from '../../contract/index.ts';
import type { DigestWork } from '../digest-work.ts';
import type { Checkpoints } from '../run.ts';
import type { GivenRun } from './digest-thread.node.ts';
import { startHostedThreads } from './hosted-threads.node.ts';

/** 1,000 documents with 14,000 key points compute for less than 3 seconds here, in less than 250 MB. */
const BUDGET = 120_000;
const MEGABYTES = 600;

export interface DigestThreads extends DigestWork {
  close(): Promise<void>;
}

/** Reads texts, a model's words among them, in threads. @param most at once; one is kept, so that a small digest need not start it */
export function startDigestThreads(
  most: number,
  reportError: (failure: unknown) => void,
  budget = BUDGET,
  megabytes = MEGABYTES,
): DigestThreads {
  const file = 'digest-thread.js';
  const { run, close } = startHostedThreads({ file, least: 1, most, budget, megabytes, reportError });
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
      return run('makeDigest', [request, given satisfies GivenRun], deps, functions, signal);
    },
    extractKeyPoints: (request, deps, signal) => run('extractKeyPoints', [request], deps, {}, signal),
    prepareDocument: (document, deps) => run('prepareDocument', [document], deps, {}, undefined),
    close,
  };
}
