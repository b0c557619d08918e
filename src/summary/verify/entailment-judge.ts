import type { EntailmentModel } from '../../models/index.ts';
import type { Claim, Judge } from './claim.ts';
import { passageText, withoutSurroundings } from './model-judge.ts';

/** Surer than of all other labels together; with two labels, the likelier. */
const LEVEL = 0.5;

/**
 * An entailment model that judges claims by all passages they cite, in their surroundings, or by the quotes alone where those are
 * too long for it. It names no words that are wrong and no passages that are idle, and says the same when it is to look again.
 */
export function entailmentJudge(model: EntailmentModel): Judge {
  return async (claims) => {
    const found = await model.entailment(
      claims.map((claim) => ({
        claim: claim.text,
        premises: [premiseOf(claim), premiseOf(withoutSurroundings(claim))],
      })),
    );
    return claims.map((_, c) => ({ supported: found[c] > LEVEL, wrong: '', idle: [] }));
  };
}

/** Without marks around the quotes, which such a model has not been trained to read. */
function premiseOf({ passages }: Claim): string {
  return passages.map((passage) => passageText(passage, ['', ''])).join('\n\n');
}
