import { asData } from '../../models/language/as-data.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { inTurn } from '../asking/in-turn.ts';
import { weighYes } from '../asking/weigh-yes.ts';
import type { PlacedPoint } from './placed-point.ts';

/** A key point with what it is worth. */
export interface WeighedPoint extends PlacedPoint {
  /** Probability that it helps to answer the question; null where the model did not say. */
  readonly usefulness: number | null;
  /** Whether that is a probability; else it is 1 or 0, after the word that the model answered with. */
  readonly isWeighed: boolean;
}

/**
 * How useful each point is to answer a question (Qi et al. 2024, appendix A.2): exp(YES) / (exp(YES) + exp(NO)) of the log
 * probabilities with which a model answers YES and NO. Where the server tells none, a YES is 1 and a NO is 0.
 *
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function weighPoints(
  question: string,
  points: readonly PlacedPoint[],
  model: AskedModel,
): Promise<WeighedPoint[]> {
  const prompt = model.prompt('benchmark-useful');
  return inTurn(
    points.map(({ text, spans }) => async () => {
      const values = { question: asData('question', question), point: asData('point', text) };
      const answer = await weighYes(model, { prompt, values });
      return { text, spans, usefulness: answer?.share ?? null, isWeighed: answer?.isWeighed ?? false };
    }),
  );
}
