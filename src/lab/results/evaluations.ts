import { z } from 'zod';
import { text } from '../../contract/index.ts';
import {
  type EvaluationAnswer,
  type EvaluationRequest,
  evaluationRequestSchema,
  figuresOf,
  figureWeights,
  METRICS,
  type MetricName,
  metricOf,
} from '../../evaluation/index.ts';
import { sortedBy } from '../../text/index.ts';
import type { RecordProblem } from '../check-records.ts';
import type { Run } from '../runner.ts';
import { ORDERS } from './positions.ts';
import { type Result, resultOf } from './result.ts';

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

/** A record whose evaluation names no digest. */
export interface EvaluationRecord extends Omit<z.output<typeof evaluationRecordSchema>, 'evaluation'> {
  readonly evaluation: EvaluationRequest;
}

type Scoring = Run<EvaluationRecord, EvaluationAnswer>;
export type ScoredRecord = Scoring['made'][number];

/** Sorts by id, system and order, independently of the input order. */
export function inCanonicalOrder<Outcome extends { readonly item: EvaluationRecord }>(outcomes: readonly Outcome[]) {
  return sortedBy(outcomes, ({ item }) => recordKey(item));
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
    seen.set(key, before ?? where);
    const detail = `has the id, system, order and metric of ${before}`;
    return before === undefined ? [] : [{ where, pointer: '/id', detail }];
  });
}

export const DIMENSIONS = ['domain', 'questionKind', 'order'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface EvaluationResult extends Result {
  readonly metric: MetricName;
}

const systemName = (system = '(no system)'): string => system;

/**
 * One result for each metric.
 * @param baseline system; by default the first by name
 */
export function evaluationResults(
  scored: readonly ScoredRecord[],
  { by = [], baseline }: { readonly by?: readonly Dimension[]; readonly baseline?: string | undefined } = {},
): EvaluationResult[] {
  const sorted = inCanonicalOrder(scored);
  return METRICS.flatMap(({ name: metric, title }) => {
    const records = sorted.filter(({ result }) => result.metric === metric);
    if (records.length === 0) return [];
    const names = [...new Set(records.map(({ item }) => systemName(item.system)))].sort();
    const { prefix, figures } = metricOf(metric);
    const metrics = figures.map(({ name: figure, title: told, over }) => ({
      ...{ key: `${prefix}.${figure}`, title: told, digits: 1, isPooled: over !== undefined },
    }));
    const result = resultOf(
      {
        name: title,
        systems: names.map((each) => ({ name: each, options: {} })),
        baseline: baseline !== undefined && names.includes(baseline) ? baseline : names[0],
        metrics,
        orders: records.map(({ item: { system, order } }) => order && { family: systemName(system), order }),
        breakdowns: by.map((dimension) => {
          return { by: dimension, metrics, values: records.map(({ item }) => item[dimension] ?? null) };
        }),
      },
      { made: records.map(scoredText), failed: [] },
    );
    return [{ ...result, metric }];
  });
}

function scoredText({ item, result: answer, known }: ScoredRecord) {
  return {
    item: { arm: systemName(item.system), datum: item.id },
    known,
    result: {
      figures: withPrefix(answer, figuresOf(answer)),
      over: withPrefix(answer, figureWeights(item.evaluation, answer)),
      isPartial: false,
      byPosition: coverageByPosition(answer),
    },
  };
}

export function withPrefix<Value>({ metric }: EvaluationAnswer, values: Readonly<Record<string, Value>>) {
  const { prefix } = metricOf(metric);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

export function coverageByPosition(answer: EvaluationAnswer): (number | null)[] | null {
  return answer.metric === 'source-coverage' ? answer.documents.map(({ coverage }) => coverage) : null;
}
