import pLimit from 'p-limit';
import type { EvaluationAnswer, EvaluationRequest } from '../../evaluation/index.ts';
import type { EvaluationRecord, ScoredRecord } from './record.ts';

export interface ScoringDeps {
  /** Names the answer to an evaluation, for `known` and `keep`. */
  readonly keyOf: (evaluation: EvaluationRequest) => string;
  /** Answers of earlier runs, by key. */
  readonly known: (keys: readonly string[]) => Promise<ReadonlyMap<string, EvaluationAnswer>>;
  readonly score: (evaluation: EvaluationRequest) => Promise<EvaluationAnswer>;
  readonly keep: (key: string, answer: EvaluationAnswer) => Promise<void>;
  readonly onProgress: (progress: ScoringProgress) => void;
  /** Whether every further record would fail alike, so that none is begun. */
  readonly isFatal: (failure: unknown) => boolean;
  /** Records under way at once. */
  readonly atOnce: number;
  /** No record is begun after it. */
  readonly signal: AbortSignal;
}

export interface ScoringProgress {
  readonly done: number;
  readonly total: number;
  readonly known: number;
  readonly failed: number;
}

interface FailedRecord {
  readonly record: EvaluationRecord;
  readonly failure: unknown;
}

export interface Scoring {
  /** In the order of the records. */
  readonly scored: readonly ScoredRecord[];
  readonly failed: readonly FailedRecord[];
  readonly isStopped: boolean;
}

/**
 * Scores records, each kept as soon as it is there; those of earlier runs are not scored again. Records that ask the same
 * are scored once. What a record fails with is its own, and the others go on; after a failure that is fatal they fail with it.
 */
export async function scoreRecords(records: readonly EvaluationRecord[], deps: ScoringDeps): Promise<Scoring> {
  const { keyOf, signal, onProgress } = deps;
  const keyed = records.map((record) => ({ record, key: keyOf(record.evaluation) }));
  const before = await deps.known([...new Set(keyed.map(({ key }) => key))]);
  const known = keyed.filter(({ key }) => before.has(key)).length;
  const failed: FailedRecord[] = [];
  let done = known;
  const notify = () => onProgress({ done, total: records.length, known, failed: failed.length });
  notify();

  let fatal: { readonly failure: unknown } | null = null;
  const underWay = new Map<string, Promise<EvaluationAnswer>>();
  const scoreOnce = (key: string, evaluation: EvaluationRequest): Promise<EvaluationAnswer> => {
    const asked =
      underWay.get(key) ??
      deps.score(evaluation).then(async (answer) => {
        await deps.keep(key, answer);
        return answer;
      });
    underWay.set(key, asked);
    return asked;
  };

  const limit = pLimit(deps.atOnce);
  const scored = await Promise.all(
    keyed.map(({ record, key }): Promise<ScoredRecord[]> | ScoredRecord[] => {
      const answer = before.get(key);
      if (answer !== undefined) return [{ record, answer, known: true }];
      return limit(async () => {
        if (signal.aborted) return [];
        try {
          if (fatal !== null) throw fatal.failure;
          const answer = await scoreOnce(key, record.evaluation);
          return [{ record, answer, known: false }];
        } catch (failure) {
          if (deps.isFatal(failure)) fatal = { failure };
          if (!signal.aborted) failed.push({ record, failure });
          return [];
        } finally {
          done++;
          if (!signal.aborted) notify();
        }
      });
    }),
  );
  const inOrder = new Map(records.map((record, index) => [record, index]));
  failed.sort((a, b) => (inOrder.get(a.record) ?? 0) - (inOrder.get(b.record) ?? 0));
  return { scored: scored.flat(), failed, isStopped: signal.aborted };
}
