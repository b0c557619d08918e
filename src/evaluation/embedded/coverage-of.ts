import type { CoverageLevels } from '../../models/encoders/encoder.ts';
import type { CoverageLevel } from '../../contract/evaluation-answer.ts';
import type { CoverageVerdict } from '../judge.ts';
import { type Matching, ranked } from './matching.ts';
import { wholePassage } from './passage.ts';

/** How far the best of the bullets covers each insight. Two bullets together do no better than the best: people said so too. */
export async function coverageOf(
  insights: readonly string[],
  bullets: readonly string[],
  { levels, find }: Matching,
): Promise<CoverageVerdict[]> {
  const passages = bullets.map(wholePassage);
  const scores = await find(insights.map((reference) => ({ reference, passages })));
  return scores.map((ofBullets) => {
    const best = ranked(ofBullets, bullets)[0];
    if (best === undefined) return { level: 0, score: 0, bullet: null };
    return { level: levelOf(ofBullets[best], levels), score: ofBullets[best], bullet: best };
  });
}

function levelOf(score: number, { half, full }: CoverageLevels): CoverageLevel {
  if (score >= full) return 100;
  return score >= half ? 50 : 0;
}
