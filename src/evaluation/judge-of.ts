import type { DigestParts } from '../digest/digest-parts.ts';
import { embeddedJudge } from './embedded/embedded-judge.ts';
import type { Judge, JudgingOptions } from './judge.ts';
import { modelJudge } from './model/model-judge.ts';
import type { JudgeRequest } from '../contract/evaluation-request.ts';

/**
 * The judge that a request names: the embedded one by default.
 *
 * @throws UnusableOptionError where it lacks what it needs
 */
export function judgeOf(request: JudgeRequest, parts: DigestParts, options?: JudgingOptions): Judge {
  return request.judge === 'llm' ? modelJudge(request, parts, options) : embeddedJudge(request, parts);
}
