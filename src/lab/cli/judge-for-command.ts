import { type DigestDeps, UnusableOptionError } from '../../digest/index.ts';
import type { JudgeRequest } from '../../evaluation/index.ts';
import { type JudgeIdentity, judgeIdentity } from '../bulk/judge-identity.ts';

/** What a person wrote who asked for what a pointer names. */
const FLAGS: Readonly<Record<string, string>> = {
  '/judge': '--judge llm',
  '/engine/encoder': '--encoder',
  '/engine/model': '--model',
};

/**
 * What will judge.
 *
 * @throws UnusableOptionError, which names the flag, where the judge lacks what it needs
 */
export function judgeForCommand(request: JudgeRequest, deps: DigestDeps): JudgeIdentity {
  try {
    return judgeIdentity(request, deps);
  } catch (cause) {
    if (!(cause instanceof UnusableOptionError)) throw cause;
    throw new UnusableOptionError(cause.pointer, `${FLAGS[cause.pointer] ?? cause.pointer}: ${cause.message}`);
  }
}
