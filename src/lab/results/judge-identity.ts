import { canonicalJson } from '../../contract/index.ts';
import { type DigestDeps, knownEncoder, UnusableOptionError } from '../../digest/index.ts';
import {
  type EvaluationRequest,
  JUDGE_PURPOSES,
  type JudgeRecord,
  type JudgeRequest,
  judgeOf,
} from '../../evaluation/index.ts';
import type { Calibration } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';

/** All that an answer depends on beside what is asked. */
export interface JudgeIdentity {
  /** With the hashes of all prompts of judges: those that will be used are not known before. */
  readonly judge: JudgeRecord;
  /** Of encoder of the embedded judge, which an operator may set; null for a language model. */
  readonly calibration: Calibration | null;
}

/** What a person wrote who asked for what a pointer names. */
const FLAGS: Readonly<Record<string, string>> = {
  '/judge': '--judge llm',
  '/engine/encoder': '--encoder',
  '/engine/model': '--model',
};

/**
 * What would judge a request, before it judges.
 *
 * @throws UnusableOptionError, which names the flag, where the judge lacks what it needs
 */
export function judgeIdentity(request: JudgeRequest, deps: DigestDeps): JudgeIdentity {
  try {
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
  } catch (cause) {
    if (!(cause instanceof UnusableOptionError)) throw cause;
    throw new UnusableOptionError(cause.pointer, `${FLAGS[cause.pointer] ?? cause.pointer}: ${cause.message}`);
  }
}

/** To be raised where a metric counts the same verdicts otherwise than before. */
const VERSION = 4;

/** Names the answer to an evaluation, so that a later run finds it: it changes with anything that the answer depends on. */
export function answerKey(evaluation: EvaluationRequest, identity: JudgeIdentity): string {
  const { judge: _, engine: __, ...asked } = evaluation;
  return contentHash(canonicalJson([VERSION, asked, identity]));
}

/** What judged, in a few words. */
export function printJudge({ name, encoder, model, version }: JudgeRecord): string {
  if (name === 'embedded') return `the embedded judge with ${encoder} (${version})`;
  const { temperature = null, seed = null } = model ?? {};
  const settings = [version, temperature !== null && `temperature ${temperature}`, seed !== null && `seed ${seed}`];
  return `the language model ${model?.model ?? ''} (${settings.filter((each) => each !== false).join(', ')})`;
}
