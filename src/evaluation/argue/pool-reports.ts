import { harmonicMean } from '../harmonic-mean.ts';
import { weightOf } from './check-report.ts';
import { isLeftOut, isRewarded } from './outcome.ts';
import type { ArgueAnswer, ArgueRequest } from './shapes.ts';

/** A share as its parts: counts, or weights of nuggets. */
interface Parts {
  readonly part: number;
  readonly of: number;
}

const SHARES = ['precision', 'recall', 'vitalRecall', 'citationSupport'] as const;

interface ScoredReport {
  readonly request: ArgueRequest;
  readonly answer: Pick<ArgueAnswer, 'sentences' | 'nuggets'>;
}

/**
 * Micro averages over reports: the sentences, nuggets and citations of all of them as if they were of one. F1 is that of the averaged
 * precision and recall.
 *
 * @returns the figures, 0 to 100, where each report counts as often as its weight says; null where there is nothing to count
 */
export function poolReports(
  reports: readonly ScoredReport[],
): (weights: ArrayLike<number>) => Readonly<Record<string, number | null>> {
  const parts = reports.map(partsOf);
  return (weights) => {
    const pooled = SHARES.map((name) => {
      const [part, of] = (['part', 'of'] as const).map((which) =>
        parts.reduce((total, each, place) => total + weights[place] * each[name][which], 0),
      );
      return [name, of === 0 ? null : (100 * part) / of] as const;
    });
    const { precision = null, recall = null, ...rest } = Object.fromEntries(pooled);
    // As of one report: who reports nothing has no precision that could excuse it.
    return { precision, recall, ...rest, f1: recall === 0 ? 0 : harmonicMean(precision, recall) };
  };
}

function partsOf({
  request,
  answer: { sentences, nuggets },
}: ScoredReport): Readonly<Record<(typeof SHARES)[number], Parts>> {
  const reported = new Set(nuggets.filter((nugget) => nugget.reported).map(({ id }) => id));
  const counted = sentences.filter(({ outcome }) => !isLeftOut(outcome));
  const weights = request.options?.weights ?? true;
  const recallOf = (wanted: ArgueRequest['nuggets']): Parts => {
    const total = (some: ArgueRequest['nuggets']) =>
      some.reduce((sum, nugget) => sum + (weights ? weightOf(nugget) : 1), 0);
    return { part: total(wanted.filter(({ id }) => reported.has(id))), of: total(wanted) };
  };
  // A document that a sentence cites twice counts once.
  const citations = sentences.flatMap(({ citations: own }) => [
    ...new Map(own.map(({ document, supported }) => [document, supported])).values(),
  ]);
  return {
    precision: { part: counted.filter(({ outcome }) => isRewarded(outcome)).length, of: counted.length },
    recall: recallOf(request.nuggets),
    vitalRecall: recallOf(request.nuggets.filter(({ importance }) => importance !== 'okay')),
    citationSupport: { part: citations.filter(Boolean).length, of: citations.length },
  };
}
