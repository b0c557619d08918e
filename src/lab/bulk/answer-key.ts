import { canonicalJson } from '../../contract/index.ts';
import type { EvaluationRequest } from '../../evaluation/index.ts';
import { contentHash } from '../../text/index.ts';
import type { JudgeIdentity } from './judge-identity.ts';

/** To be raised where a metric counts the same verdicts otherwise than before. */
const VERSION = 3;

/** Names the answer to an evaluation, so that a later run finds it: it changes with anything that the answer depends on. */
export function answerKey(evaluation: EvaluationRequest, identity: JudgeIdentity): string {
  const { judge: _, engine: __, ...asked } = evaluation;
  return contentHash(canonicalJson([VERSION, asked, identity]));
}
