import type { EvaluationAnswer, EvaluationRequest } from '../../evaluation/index.ts';

/** Where the documents that matter stood among those that a system was given. */
export const ORDERS = ['top', 'bottom', 'random'] as const;
export type DocumentOrder = (typeof ORDERS)[number];

/** One text of one system to be scored, with what the table may be broken down by. */
export interface EvaluationRecord {
  /** What was asked: the same for every system that answered it, so that systems can be compared. */
  readonly id: string;
  readonly system?: string | undefined;
  readonly domain?: string | undefined;
  readonly questionKind?: string | undefined;
  readonly order?: DocumentOrder | undefined;
  /** Words of all documents that the system was given. */
  readonly inputWords?: number | undefined;
  readonly evaluation: EvaluationRequest;
}

export interface ScoredRecord {
  readonly record: EvaluationRecord;
  readonly answer: EvaluationAnswer;
  /** Whether it was scored in an earlier run. */
  readonly known: boolean;
}

/** By id, then system, then order: whatever the order of files, and of records in them. */
export function inCanonicalOrder<Item extends { readonly record: EvaluationRecord }>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: recordKey(item.record) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}

/** Names a record: no two of one run may share it. */
export function recordKey({ id, system, order, evaluation }: EvaluationRecord): string {
  return JSON.stringify([id, system ?? '', order ?? '', evaluation.metric]);
}
