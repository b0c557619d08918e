import { asData } from '../../language-models/as-data.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { inTurn } from '../asking/in-turn.ts';
import { orNothing } from '../asking/or-nothing.ts';

/** Scores of questions, in their order. */
export interface WeighedRelevance {
  /** Null for a question that the model could not be brought to answer. */
  readonly scores: readonly (number | null)[];
  /** Questions whose score is 1 or 0, as the server tells no probabilities. */
  readonly unweighed: number;
}

const ANSWERS = ['YES', 'NO'];
const ANSWER_TOKENS = 16;

/** How relevant questions are to an intent: how much likelier YES was than NO, one call each. */
export async function weighedRelevance(
  intent: string,
  questions: readonly string[],
  model: AskedModel,
): Promise<WeighedRelevance> {
  const weighed = await inTurn(
    questions.map((question) => () => {
      const values = { intent: asData('intent', intent), question: asData('question', question) };
      const prompt = model.prompt('benchmark-relevance');
      return orNothing(model.weigh({ prompt, values, maxTokens: ANSWER_TOKENS }, ANSWERS));
    }),
  );
  return {
    scores: weighed.map((given) => given && (given.shares?.[0] ?? Number(given.word === 'YES'))),
    unweighed: weighed.filter((given) => given?.shares === null).length,
  };
}
