import { asData } from '../../models/index.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import { yesProbability } from '../asking/weigh-yes.ts';

/** Scores of questions, in their order. */
export interface WeighedRelevance {
  /** Null for a question that the model could not be brought to answer. */
  readonly scores: readonly (number | null)[];
  /** Questions whose score is 1 or 0, as the server tells no probabilities. */
  readonly unweighed: number;
}

/** How relevant questions are to an intent: how much likelier YES was than NO, one call each. */
export async function weighedRelevance(
  intent: string,
  questions: readonly string[],
  model: AskedModel,
): Promise<WeighedRelevance> {
  const weighed = await mapConcurrent(
    questions.map((question) => () => {
      const values = { intent: asData('intent', intent), question: asData('question', question) };
      return yesProbability(model, { prompt: model.prompt('benchmark-relevance'), values });
    }),
  );
  return {
    scores: weighed.map((given) => given?.share ?? null),
    unweighed: weighed.filter((given) => given?.isWeighed === false).length,
  };
}
