import type { DigestParts } from '../../digest/digest-parts.ts';
import { type DigestPlan, planDigest } from '../../digest/plan-digest.ts';
import { contentHash } from '../../documents/content-hash.ts';
import { canonicalJson } from '../../evaluation/bulk/canonical-json.ts';
import { judgeIdentity } from '../../evaluation/bulk/judge-identity.ts';
import type { Arm } from './arm.ts';
import type { Datum } from './datum.ts';
import { COMPARISON_JUDGE } from './score-digest.ts';

/** To be raised where the figures of the same digest are counted otherwise than before. */
const VERSION = 1;

/** One digest to make: an arm over a datum. */
export interface PlannedDigest {
  readonly arm: Arm;
  readonly datum: Datum;
  /** Names what comes of it, so that a later run finds it: it changes with anything that the figures depend on. */
  readonly key: string;
  /** What is read and encoded for it: the same for arms that share this. */
  readonly reading: string;
  readonly usesModel: boolean;
  /** Its plan, as no plan serves twice. */
  plan(signal?: AbortSignal): DigestPlan;
}

/**
 * Every arm over every datum, those of a datum after each other.
 *
 * @param version of the service, whose stages may choose otherwise in the next one
 * @throws UnusableOptionError where an option of an arm cannot be had here
 */
export function planComparison(
  arms: readonly Arm[],
  data: readonly Datum[],
  parts: DigestParts,
  version: string,
): PlannedDigest[] {
  return data.flatMap((datum) => {
    const isScored = datum.insights !== undefined || datum.questions !== undefined;
    const judge = isScored ? judgeIdentity(COMPARISON_JUDGE, parts) : null;
    const given = contentHash(canonicalJson([VERSION, version, datum, judge]));
    return arms.map((arm): PlannedDigest => {
      const { documents, intent } = datum;
      const plan = (signal?: AbortSignal) => planDigest({ documents, intent, ...arm.options }, parts, signal);
      const planned = plan();
      const identity = identityOf(planned, arm, parts);
      return {
        arm,
        datum,
        key: contentHash(canonicalJson([given, identity])),
        reading: JSON.stringify([identity.extractor, identity.encoders]),
        usesModel: identity.model !== null,
        plan,
      };
    });
  });
}

/** All that a digest depends on beside its documents and its intent. */
function identityOf(plan: DigestPlan, { options }: Arm, { engine, models }: DigestParts) {
  const { selection, kernelEncoder, relevanceEncoder, ...resolved } = plan.options;
  const settings = plan.stages.records();
  const usesModel = Object.keys(settings).length > 0;
  return {
    ...resolved,
    // Defaults lie between those of lists and those of running text.
    selection: [selection(0), selection(1)],
    encoders: [kernelEncoder.profile, relevanceEncoder.profile],
    matrix: engine.matrix,
    extractor: plan.extractor.id,
    writer: plan.writer === null ? 'compose' : 'llm',
    model: usesModel ? { asked: options.engine, settings, name: models.model?.defaultModel } : null,
    // Those of later stages are not known before.
    prompts: usesModel ? [...models.prompts.values()].map(({ id, hash }) => [id, hash]).toSorted() : null,
  };
}
