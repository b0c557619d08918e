import type { DigestParts } from '../../digest/digest-parts.ts';
import { knownEncoder } from '../../digest/select/known-encoder.ts';
import type { Encoder } from '../../models/encoders/encoder.ts';
import { NO_USAGE } from '../../models/language/usage.ts';
import type { Judge } from '../judge.ts';
import type { JudgeRequest } from '../../contract/evaluation-request.ts';
import { answeredIn } from './answered-in.ts';
import { coverageOf } from './coverage-of.ts';
import { entailmentOf } from './entailment-of.ts';
import { isForeignTo } from './is-foreign-to.ts';
import { match } from './match.ts';
import type { Matching } from './matching.ts';
import { relevantTo } from './relevant-to.ts';
import { reportedIn } from './reported-in.ts';
import { kindsOf } from './sentence-kinds.ts';

/** Names the rules; changes whenever a score would. */
const BY_TOKENS = 'embedded/1';
/** The same, where the encoder gives sentence vectors only. */
const BY_VECTORS = 'embedded-vectors/1';

/**
 * A judge without a language model: everything rests on how well one text is told in another (`match`), with thresholds
 * calibrated for the encoder. Deterministic for an encoder and matrix backend.
 *
 * @throws UnusableOptionError where the encoder is unknown
 */
export function embeddedJudge(request: JudgeRequest, { engine, database }: DigestParts): Judge {
  const encoder = knownEncoder(engine, request.engine?.encoder, '/engine/encoder');
  let hasForeign = false;
  const onForeign = () => {
    hasForeign = true;
  };
  const matching: Matching = {
    levels: encoder.profile.calibration.coverage,
    find: (tasks) => match(tasks, { encoder, database, engine, onForeign }),
  };
  return {
    coverage: (insights, bullets) => coverageOf(insights, bullets, matching),
    entailment: (tasks) => entailmentOf(tasks, matching),
    kinds: (sentences, asked) => kindsOf(sentences, asked, matching),
    reported: (sentences, nuggets) => reportedIn(sentences, nuggets, matching),
    answered: (summary, questions) => answeredIn(summary, questions, matching),
    relevant(questions, intent) {
      if (isForeignTo(encoder, intent)) onForeign();
      return relevantTo(questions, intent, encoder, database);
    },
    record: () => ({
      name: 'embedded',
      encoder: encoder.profile.id,
      version: encoder.profile.tokenDimensions > 0 ? BY_TOKENS : BY_VECTORS,
      model: null,
      prompts: {},
    }),
    usage: () => ({ ...NO_USAGE, reusedVerdicts: 0 }),
    warnings: () => (hasForeign ? [foreignWarning(encoder)] : []),
  };
}

function foreignWarning({ profile }: Encoder): string {
  return `Some texts are in a language that the encoder "${profile.id}" does not know; there shared words alone decide.`;
}
