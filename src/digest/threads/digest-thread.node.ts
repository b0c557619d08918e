import { threadId } from 'node:worker_threads';
import type { Table } from '../../contract/index.ts';
import { HERE } from '../digest-work.ts';
import type { MadeDigest } from '../make-digest.ts';
import type { ResolvedRequest } from '../request.ts';
import type { Checkpoints, RunOptions } from '../run.ts';
import { inHostedThread } from './hosted-deps.ts';

/** What of the options of a run is plain. */
export interface GivenRun extends Pick<RunOptions, 'id'> {
  readonly checkpoints: Omit<Checkpoints, 'save'> | undefined;
  readonly isFollowed: boolean;
}

export const makeDigest = inHostedThread(
  threadId,
  (deps, call, request: ResolvedRequest, { checkpoints, isFollowed, ...options }: GivenRun): Promise<MadeDigest> =>
    HERE.makeDigest(request, deps, {
      ...options,
      ...(checkpoints && { checkpoints: { ...checkpoints, save: (...given) => call('save', given) } }),
      onProgress: (progress) => void call('progress', [progress]),
      onSentence: isFollowed ? (sentence) => void call('sentence', [sentence]) : undefined,
    }),
);

export const makeTable = inHostedThread(
  threadId,
  (deps, call, request: Parameters<typeof HERE.makeTable>[0]): Promise<Table> =>
    HERE.makeTable(request, deps, {
      onProgress: (progress) => void call('progress', [progress]),
      onCell: (cell) => void call('cell', [cell]),
    }),
);

export const extractKeyPoints = inHostedThread(
  threadId,
  (deps, _, request: Parameters<typeof HERE.extractKeyPoints>[0]) => HERE.extractKeyPoints(request, deps),
);

export const prepareDocuments = inHostedThread(
  threadId,
  (deps, call, documents: Parameters<typeof HERE.prepareDocuments>[0]) =>
    HERE.prepareDocuments(documents, deps, { onProgress: (progress) => void call('progress', [progress]) }),
);
