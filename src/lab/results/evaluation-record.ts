import { z } from 'zod';
import { text } from '../../contract/index.ts';
import {
  type EvaluationAnswer,
  type EvaluationRequest,
  evaluationRequestSchema,
  metricOf,
} from '../../evaluation/index.ts';
import { countWords } from '../../summary/index.ts';
import type { RecordProblem } from '../check-records.ts';
import type { Run } from '../runner.ts';
import { ORDERS } from './positions.ts';

const name = text(500).min(1);

/** One text of one system to be scored, with what the table may be broken down by: a record of a file for `tessera eval`. */
export const evaluationRecordSchema = z.strictObject({
  /** What was asked: the same for every system that answered it, so that systems can be compared. */
  id: name,
  system: name.optional(),
  domain: name.optional(),
  questionKind: name.optional(),
  order: z.enum(ORDERS).optional(),
  /** Words of all documents that the system was given. */
  inputWords: z.int().min(0).optional(),
  evaluation: evaluationRequestSchema.superRefine((evaluation, context) => {
    for (const field of ['judge', 'engine'] as const) {
      if (evaluation[field] === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'is chosen on the command line, for all records' });
    }
  }),
});

/** A record as it stands in a file; its evaluation may name a digest. */
export type RecordOrder = z.output<typeof evaluationRecordSchema>;

export interface EvaluationRecord extends Omit<RecordOrder, 'evaluation'> {
  readonly evaluation: EvaluationRequest;
}

/** What came of records that were scored. */
export type Scoring = Run<EvaluationRecord, EvaluationAnswer>;
export type ScoredRecord = Scoring['made'][number];

/** By id, then system, then order: whatever the order of files, and of records in them. */
export function inCanonicalOrder<Outcome extends { readonly item: EvaluationRecord }>(
  outcomes: readonly Outcome[],
): Outcome[] {
  const keyed = outcomes.map((outcome) => ({ outcome, key: recordKey(outcome.item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ outcome }) => outcome);
}

/** Names a record: no two of one run may share it. */
function recordKey({ id, system, order, evaluation }: EvaluationRecord): string {
  return JSON.stringify([id, system ?? '', order ?? '', evaluation.metric]);
}

/** Records that share id, system, order and metric with one before them: their figures would count twice. */
export function repeatedRecords(
  placed: readonly { readonly where: string; readonly record: EvaluationRecord }[],
): RecordProblem[] {
  const seen = new Map<string, string>();
  return placed.flatMap(({ where, record }) => {
    const key = recordKey(record);
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, where);
      return [];
    }
    return [{ where, pointer: '/id', detail: `has the id, system, order and metric of ${before}` }];
  });
}

/** Words of the text that is scored; markers are none. */
export function outputWords(evaluation: EvaluationRequest): number {
  return metricOf(evaluation.metric)
    .said(evaluation)
    .reduce((sum, text) => sum + countWords(text), 0);
}

/** What a table can be broken down by, beside the system. */
export const DIMENSIONS = ['domain', 'questionKind', 'order', 'inputWords', 'outputWords'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/**
 * For each record its value of a dimension, null where it has none; with the values there are, in the order of a table.
 * Numbers of words come in three bins that hold about as many records each; equal numbers share one.
 */
export function valuesOf(
  records: readonly EvaluationRecord[],
  dimension: Dimension,
): { readonly values: readonly (string | null)[]; readonly inOrder: readonly (string | null)[] } {
  if (dimension === 'inputWords') return binned(records.map(({ inputWords }) => inputWords ?? null));
  if (dimension === 'outputWords') return binned(records.map(({ evaluation }) => outputWords(evaluation)));
  const values = records.map((record) => record[dimension] ?? null);
  const named = [...new Set(values)].filter((value) => value !== null).sort((a, b) => (a < b ? -1 : 1));
  return { values, inOrder: values.includes(null) ? [...named, null] : named };
}

function binned(numbers: readonly (number | null)[]) {
  const sorted = numbers.filter((each) => each !== null).sort((a, b) => a - b);
  const bounds = [1, 2, 3].map((third) => sorted[Math.ceil((third * sorted.length) / 3) - 1]);
  const bins = [...new Set(bounds)].map((most, index, all) => {
    const least = index === 0 ? sorted[0] : sorted.find((each) => each > all[index - 1]);
    return { most, label: least === most ? `${most} words` : `${least} to ${most} words` };
  });
  const values = numbers.map((each) => (each === null ? null : (bins.find(({ most }) => each <= most)?.label ?? null)));
  const labels = sorted.length === 0 ? [] : bins.map(({ label }) => label);
  return { values, inOrder: values.includes(null) ? [...labels, null] : labels };
}
