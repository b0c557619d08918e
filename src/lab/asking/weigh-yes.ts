import type { Question } from '../../models/index.ts';
import type { AskedModel } from './asked-model.ts';
import { nullIfUnanswerable } from './null-if-unanswerable.ts';

/** How far a model says yes. */
interface WeighedYes {
  /** exp(YES) / (exp(YES) + exp(NO)) of the log probabilities (Qi et al. 2024, appendix A.2). */
  readonly share: number;
  /** Whether that is a probability; else it is 1 or 0, after the word that the model answered with. */
  readonly isWeighed: boolean;
}

const ANSWER_TOKENS = 16;

/**
 * Asks a question of YES or NO.
 *
 * @returns null where the model could not be brought to answer
 * @throws ModelCallError where the call failed otherwise than for what it asked
 */
export async function yesProbability(
  model: AskedModel,
  question: Pick<Question, 'prompt' | 'values'>,
): Promise<WeighedYes | null> {
  const answer = await nullIfUnanswerable(model.weigh({ ...question, maxTokens: ANSWER_TOKENS }, ['YES', 'NO']));
  if (answer === null) return null;
  const { shares, word } = answer;
  return { share: shares === null ? Number(word === 'YES') : shares[0], isWeighed: shares !== null };
}
