import { type DigestDeps, knownEncoder } from '../../digest/index.ts';
import { JUDGE_PURPOSES, type JudgeRecord, type JudgeRequest, judgeOf } from '../../evaluation/index.ts';
import type { Calibration } from '../../models/index.ts';

/** All that an answer depends on beside what is asked. */
export interface JudgeIdentity {
  /** With the hashes of all prompts of judges: those that will be used are not known before. */
  readonly judge: JudgeRecord;
  /** Of the encoder of the embedded judge, which an operator may set; null for a language model. */
  readonly calibration: Calibration | null;
}

/**
 * What would judge a request, before it judges.
 *
 * @throws UnusableOptionError where the judge lacks what it needs
 */
export function judgeIdentity(request: JudgeRequest, deps: DigestDeps): JudgeIdentity {
  const judge = judgeOf(request, deps).record();
  if (judge.name === 'embedded') {
    const { profile } = knownEncoder(deps.engine, request.engine?.encoder, '/engine/encoder');
    return { judge, calibration: profile.calibration };
  }
  const prompts = [...deps.models.prompts.values()].filter(({ stage }) =>
    JUDGE_PURPOSES.some((each) => each === stage),
  );
  const hashes = Object.fromEntries(prompts.map(({ id, hash }) => [id, hash]));
  return { judge: { ...judge, prompts: { ...hashes, ...judge.prompts } }, calibration: null };
}
