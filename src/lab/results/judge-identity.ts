import { canonicalJson } from '../../contract/index.ts';
import { type DigestDeps, knownEncoder, UnusableOptionError } from '../../digest/index.ts';
import {
  type EvaluationRequest,
  JUDGE_PURPOSES,
  type JudgeRecord,
  type JudgeRequest,
  judgeOf,
  judgeOptionsOf,
} from '../../evaluation/index.ts';
import type { Calibration } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';

/** Everything that an answer depends on, except the request. */
export interface JudgeIdentity {
  /** With the hashes of all judge prompts, as the ones needed are not known yet. */
  readonly judge: JudgeRecord;
  /** Encoder calibration of the embedded judge; null for a language model. */
  readonly calibration: Calibration | null;
}

/** @throws UnusableOptionError naming the flag if the judge lacks something */
export function judgeIdentity(request: JudgeRequest, deps: DigestDeps): JudgeIdentity {
  try {
    const judge = judgeOf(request, deps).record();
    if (judge.name === 'embedded') {
      const { profile } = knownEncoder(deps.engine, judgeOptionsOf(request).encoder, '/engine/encoder');
      return { judge, calibration: profile.calibration };
    }
    const prompts = [...deps.models.prompts.values()].flatMap(({ id, hash, stage }) =>
      JUDGE_PURPOSES.some((each) => each === stage) ? [[id, hash]] : [],
    );
    return { judge: { ...judge, prompts: { ...Object.fromEntries(prompts), ...judge.prompts } }, calibration: null };
  } catch (cause) {
    if (!(cause instanceof UnusableOptionError)) throw cause;
    // Flags are named after the fields.
    throw new UnusableOptionError(cause.pointer, `--${cause.pointer.split('/').at(-1)}: ${cause.message}`);
  }
}

/** Raise it if a metric counts the same verdicts differently. */
const VERSION = 4;

export function answerKey(evaluation: EvaluationRequest, identity: JudgeIdentity): string {
  const { judge: _, engine: __, ...asked } = evaluation;
  return contentHash(canonicalJson([VERSION, asked, identity]));
}

export function printJudge({ name, encoder, model, version }: JudgeRecord): string {
  if (name === 'embedded') return `the embedded judge with ${encoder} (${version})`;
  const { temperature = null, seed = null } = model ?? {};
  const settings = [version, temperature !== null && `temperature ${temperature}`, seed !== null && `seed ${seed}`];
  return `the language model ${model?.model ?? ''} (${settings.filter((each) => each !== false).join(', ')})`;
}
