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

/** A text to score, with its breakdown values: a record of a file for `tessera eval`. */
export const evaluationRecordSchema = z.strictObject({
  /** Id of the case, shared by all systems that answer it. */
  id: name,
  system: name.optional(),
  domain: name.optional(),
  questionKind: name.optional(),
  order: z.enum(ORDERS).optional(),
  inputWords: z.int().min(0).optional(),
  evaluation: evaluationRequestSchema.superRefine((evaluation, context) => {
    for (const field of ['judge', 'engine'] as const) {
      if (evaluation[field] === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'is chosen on the command line, for all records' });
    }
  }),
});

/** An unresolved record; its evaluation may name a digest. */
export type RecordOrder = z.output<typeof evaluationRecordSchema>;

export interface EvaluationRecord extends Omit<RecordOrder, 'evaluation'> {
  readonly evaluation: EvaluationRequest;
}

export type Scoring = Run<EvaluationRecord, EvaluationAnswer>;
export type ScoredRecord = Scoring['made'][number];

/** Sorts by id, system and order, independently of the input order. */
export function inCanonicalOrder<Outcome extends { readonly item: EvaluationRecord }>(
  outcomes: readonly Outcome[],
): Outcome[] {
  const keyed = outcomes.map((outcome) => ({ outcome, key: recordKey(outcome.item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ outcome }) => outcome);
}

function recordKey({ id, system, order, evaluation }: EvaluationRecord): string {
  return JSON.stringify([id, system ?? '', order ?? '', evaluation.metric]);
}

/** Records with the id, system, order and metric of an earlier one, which would count twice. */
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

export function outputWords(evaluation: EvaluationRequest): number {
  return metricOf(evaluation.metric)
    .said(evaluation)
    .reduce((sum, text) => sum + countWords(text), 0);
}

export const DIMENSIONS = ['domain', 'questionKind', 'order', 'inputWords', 'outputWords'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Null for missing values; word counts fall into three bins of similar size. */
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
