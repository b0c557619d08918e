import type { CoverageLevels } from '../../models/index.ts';
import { nextTurn } from '../../text/index.ts';
import { type Basis, foundShares, type MatchDeps, type MatchTask } from './found-shares.ts';
import { agreementOfFacts } from './passages.ts';

/** How well the passages of a task tell its reference, each in [0, 1], in their order. */
export type MatchScores = Float64Array;

type Curve = Pick<CoverageLevels, 'middle' | 'width'>;

/** If the encoder does not know the language, words alone decide. */
const WORDS_ALONE: Curve = { middle: 0.26, width: 0.1 };
/**
 * If it gives no tokens. Mostly words decide, so that one curve serves any encoder: vectors of all-MiniLM-L6-v2 fit to it, and
 * so do vectors whose cosines all run high.
 */
const VECTORS: Curve = { middle: 0.27, width: 0.1 };

/** The curve that what was found is read by. */
function curveOf(basis: Basis, ofTokens: Curve): Curve {
  if (basis === 'tokens') return ofTokens;
  return basis === 'words' ? WORDS_ALONE : VECTORS;
}

/** Milliseconds after which other requests get their turn. */
const TURN = 20;

/**
 * MatchScores passages against references: how much of the reference is found (`foundShares`), mapped to what people would give
 * by a logistic curve that was fitted for the encoder or, without tokens, for all of them, and lowered where numbers, dates, names,
 * roles or negation differ. Figures in docs/decisions/embedded-judge.md.
 *
 * What differs is looked at in those passages alone that could be the best of their task or be told in half. The others
 * score lower already: theirs is an upper bound.
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
      // Equal ones too, so that their order does not decide.
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

/** How the parts of the embedded judge find one text in others. */
export interface Matching {
  readonly levels: CoverageLevels;
  find(tasks: readonly MatchTask[]): Promise<MatchScores[]>;
}
