import type { BenchmarkCase } from '../benchmark-set.ts';
import { quantile } from '../bulk/estimate.ts';
import type { MadeIntent } from './intents-protocol.ts';

export interface ScoredIntent extends MadeIntent {
  /** Of its questions, in their order; null for one that has no score, which is not relevant. */
  readonly scores: readonly (number | null)[];
}

/** An intent with too few relevant questions, and how its questions scored. */
export interface ShortIntent {
  readonly collection: string;
  readonly intent: string;
  readonly relevant: number;
  readonly questions: number;
  /** Median, 90th percentile and largest of the scores; null where there is none. */
  readonly scores: { readonly median: number; readonly p90: number; readonly most: number } | null;
}

interface KeptIntents {
  readonly cases: readonly BenchmarkCase[];
  readonly short: readonly ShortIntent[];
  readonly counts: Readonly<Record<'kept' | 'dropped' | 'relevant' | 'unscored' | 'unweighed', number>>;
}

/**
 * Cases of the intents that enough questions are relevant to (Padmakumar et al. 2025, section 4.1.3), named
 * `<collection>/intent-<number>`: a number that is left out is that of an intent that was dropped. Each holds all questions of its
 * collection, marked.
 *
 * @param threshold a question that scores more is relevant
 * @param least relevant questions that an intent needs
 */
export function keepIntents(scored: readonly ScoredIntent[], threshold: number, least: number): KeptIntents {
  const cases: BenchmarkCase[] = [];
  const short: ShortIntent[] = [];
  const counts = { kept: 0, dropped: 0, relevant: 0, unscored: 0, unweighed: 0 };
  for (const { collection, number, intent, questions, scores, weighed } of scored) {
    const marked = questions.map((question, place) => ({
      ...question,
      relevant: (scores[place] ?? -Infinity) > threshold,
    }));
    const relevant = marked.filter((question) => question.relevant).length;
    counts.unscored += scores.filter((score) => score === null).length;
    counts.unweighed += weighed?.unweighed ?? 0;
    if (relevant < least) {
      counts.dropped++;
      short.push({ collection, intent, relevant, questions: questions.length, scores: spread(scores) });
      continue;
    }
    counts.kept++;
    counts.relevant += relevant;
    cases.push({ id: `${collection}/intent-${number}`, collection, intent, questions: marked });
  }
  return { cases, short, counts };
}

function spread(scores: readonly (number | null)[]): ShortIntent['scores'] {
  const sorted = scores.flatMap((score) => score ?? []).sort((a, b) => a - b);
  const most = sorted.at(-1);
  return most === undefined ? null : { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), most };
}
