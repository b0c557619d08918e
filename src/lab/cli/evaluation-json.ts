import type { JudgeRecord } from '../../contract/evaluation-answer.ts';
import { outputWords } from '../bulk/output-words.ts';
import { inCanonicalOrder } from '../bulk/record.ts';
import type { MetricReport } from '../bulk/report.ts';
import type { Scoring } from '../bulk/score-records.ts';
import type { CallUsage } from '../../models/language/usage.ts';
import { describeFailure } from './describe-failure.ts';

/** What `tessera eval --json` prints: figures, and the answer to each record by id. */
export function evaluationJson(
  scoring: Scoring,
  reports: readonly MetricReport[],
  judge: JudgeRecord,
  usage: CallUsage,
) {
  const { scored, failed } = scoring;
  return {
    judge,
    records: {
      scored: scored.length,
      known: scored.filter(({ known }) => known).length,
      failed: failed.length,
    },
    /** Of this run, with what failed: what was known cost nothing again. */
    usage,
    metrics: reports,
    answers: inCanonicalOrder(scored).map(({ record: { evaluation, ...record }, answer }) => ({
      ...record,
      outputWords: outputWords(evaluation),
      answer,
    })),
    failed: inCanonicalOrder(failed).map(({ record: { evaluation, ...record }, failure }) => ({
      ...record,
      metric: evaluation.metric,
      problem: describeFailure(failure),
    })),
  };
}
