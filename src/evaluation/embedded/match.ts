import type { CoverageLevels } from '../../models/index.ts';
import { nextTurn } from '../../text/index.ts';
import { type Basis, foundShares, type MatchDeps, type MatchTask } from './found-shares.ts';
import { agreementOfFacts } from './passages.ts';

export type MatchScores = Float64Array;

type Curve = Pick<CoverageLevels, 'middle' | 'width'>;

/** Curve for words alone, for languages unknown to the encoder. */
const WORDS_ALONE: Curve = { middle: 0.26, width: 0.1 };
/**
 * Curve for encoders without tokens. Words dominate, so one curve serves any encoder: it fits vectors of
 * all-MiniLM-L6-v2 as well as vectors with generally high cosines.
 */
const VECTORS: Curve = { middle: 0.27, width: 0.1 };

function curveOf(basis: Basis, ofTokens: Curve): Curve {
  if (basis === 'tokens') return ofTokens;
  return basis === 'words' ? WORDS_ALONE : VECTORS;
}

const TURN = 20;

/**
 * Scores passages against references: the share found (`foundShares`), mapped to human scores by a logistic curve
 * fitted for the encoder (or for all, without tokens), and lowered if numbers, dates, names, roles or negation differ.
 * Figures in docs/decisions/embedded-judge.md.
 *
 * Differences are checked only in passages that could be the best of their task or reach half; the scores of others are
 * upper bounds.
 */
export async function match(tasks: readonly MatchTask[], deps: MatchDeps): Promise<MatchScores[]> {
  const found = await foundShares(tasks, deps);
  const scored: MatchScores[] = [];
  let since = performance.now();
  for (const [i, { reference, passages }] of tasks.entries()) {
    const { shares, compared, basis } = found[i];
    const curve = curveOf(basis, deps.encoder.profile.calibration.coverage);
    const scores = new Float64Array(passages.length);
    for (const place of compared) scores[place] = logistic(shares[place], curve);
    const { half } = deps.encoder.profile.calibration.coverage;
    let best = 0;
    for (const place of compared.toSorted((a, b) => scores[b] - scores[a])) {
      // Include ties, so that their order does not matter.
      if (scores[place] === 0 || (scores[place] < best && scores[place] < half)) break;
      scores[place] *= agreementOfFacts(reference, passages[place]);
      best = Math.max(best, scores[place]);
      if (performance.now() - since > TURN) {
        await nextTurn();
        since = performance.now();
      }
    }
    scored.push(scores);
  }
  return scored;
}

/** 0 if nothing is found, else in (0, 1). */
function logistic(share: number, { middle, width }: Curve): number {
  return share <= 0 ? 0 : 1 / (1 + Math.exp((middle - share) / width));
}

export interface Matching {
  readonly levels: CoverageLevels;
  find(tasks: readonly MatchTask[]): Promise<MatchScores[]>;
}
