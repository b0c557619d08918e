import { mean } from '../mean.ts';
import type { CoverageLevel, SummHayAnswer } from './shapes.ts';

/** What the totals are made of. */
interface CoveredInsight {
  readonly coverage: CoverageLevel;
  /** Whether it is known which documents tell it. */
  readonly hasDocuments: boolean;
  /** Of its bullet's markers, 0 to 100; null where it is not covered, or without documents. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** Of how many insights each total is a mean: all, those that are covered and cited rightly or wrongly, those with documents. */
export function summHayWeights(insights: readonly Pick<CoveredInsight, 'hasDocuments' | 'f1'>[]) {
  const covered = insights.filter(({ f1 }) => f1 !== null).length;
  return {
    coverage: insights.length,
    citation: covered,
    citationPrecision: covered,
    citationRecall: covered,
    joint: insights.filter(({ hasDocuments }) => hasDocuments).length,
  };
}

/**
 * The scores of a summary (Laban et al. 2024, section 4.1). An insight that is not covered counts 0 in the joint
 * score and not at all in the citation score; one without documents counts for coverage alone.
 *
 * @param insights at least one
 */
export function summHayTotals(
  insights: readonly CoveredInsight[],
): Pick<SummHayAnswer, 'coverage' | 'citation' | 'citationPrecision' | 'citationRecall' | 'joint'> {
  const cited = insights.filter(({ hasDocuments }) => hasDocuments);
  const meanOf = (score: 'precision' | 'recall' | 'f1') =>
    cited.length === 0 ? null : (mean(cited.flatMap((each) => each[score] ?? [])) ?? 0);
  return {
    coverage: mean(insights.map(({ coverage }) => coverage)) ?? 0,
    citation: meanOf('f1'),
    citationPrecision: meanOf('precision'),
    citationRecall: meanOf('recall'),
    joint: mean(cited.map(({ coverage, f1 }) => (coverage * (f1 ?? 0)) / 100)),
  };
}
