import type { DigestParts } from '../../digest/digest-parts.ts';
import type { DigestPlan } from '../../digest/plan-digest.ts';
import type { VariantOptions } from '../experiment.ts';

/** What a digest depends on, as values of JSON. */
export interface PlanIdentity {
  readonly extractor: string;
  readonly encoders: readonly unknown[];
  /** Null where no language model is asked. */
  readonly model: unknown;
  readonly [field: string]: unknown;
}

/** What is read and encoded for a digest: the same for those that share this. */
export function readingOf({ extractor, encoders }: PlanIdentity): string {
  return JSON.stringify([extractor, encoders]);
}

/** All that a digest depends on beside its documents and its intent. */
export function identityOfPlan(plan: DigestPlan, asked: VariantOptions, { engine, models }: DigestParts): PlanIdentity {
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
    model: usesModel ? { asked: asked.engine, settings, name: models.model?.defaultModel } : null,
    // Those of later stages are not known before.
    prompts: usesModel ? [...models.prompts.values()].map(({ id, hash }) => [id, hash]).toSorted() : null,
  };
}
