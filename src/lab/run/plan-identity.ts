import type { StageRecord, VariantOptions } from '../../contract/index.ts';
import type { DigestDeps, Plan } from '../../digest/index.ts';
import type { EncoderProfile, Prompts, RelevanceScorer } from '../../models/index.ts';
import type { SelectionOptions } from '../../selection/index.ts';
import { oncePer } from '../once-per.ts';

export interface PlanIdentity {
  readonly extractor: string;
  /** Encoder of the kernel, then the relevance scorer. */
  readonly encoders: readonly [EncoderProfile, RelevanceScorer['profile']];
  readonly matrix: string;
  readonly writer: string;
  readonly model: {
    readonly asked: VariantOptions['engine'];
    readonly settings: Readonly<Record<string, StageRecord>>;
    readonly name: string | null | undefined;
    /** Encoder or model that verifies the text against the quotes. */
    readonly verifier: string | null;
  } | null;
  readonly prompts: readonly (readonly [string, string])[] | null;
  /** For lists of statements, then for running text. */
  readonly selection: readonly [SelectionOptions, SelectionOptions];
  readonly [field: string]: unknown;
}

/** Identifies the reading and encoding that digests can share. */
export function readingOf({ extractor, encoders }: PlanIdentity): string {
  return JSON.stringify([extractor, encoders]);
}

/** Everything that a digest depends on, except its documents and intent. */
export function identityOfPlan(plan: Plan, asked: VariantOptions, { engine, models }: DigestDeps): PlanIdentity {
  const { selection, kernelEncoder, relevanceEncoder, ...resolved } = plan.options;
  const settings = plan.stages.records();
  const usesModel = Object.keys(settings).length > 0;
  return {
    ...resolved,
    selection: [selection(0), selection(1)],
    encoders: [kernelEncoder.profile, relevanceEncoder.profile],
    matrix: engine.matrix,
    extractor: plan.extractor.id,
    writer: plan.writer === null ? 'compose' : 'llm',
    model: usesModel
      ? { asked: asked.engine, settings, name: models.model?.defaultModel, verifier: plan.verifiedBy }
      : null,
    // The prompts of later stages are not known yet.
    prompts: usesModel ? promptsOf(models.prompts) : null,
  };
}

const promptsOf = oncePer((prompts: Prompts): NonNullable<PlanIdentity['prompts']> => {
  const used = [...prompts.values()].filter(({ stage }) => stage !== 'benchmark');
  return used.map(({ id, hash }): [string, string] => [id, hash]).toSorted();
});

export interface SystemRecord {
  readonly extractor: string;
  readonly encoder: string;
  readonly relevanceEncoder: string;
  readonly matrix: string;
  readonly writer: string;
  readonly seed: number;
  /** By stage that calls a language model; null if none does. */
  readonly models: Readonly<Record<string, StageRecord>> | null;
  readonly prompts: Readonly<Record<string, string>> | null;
}

export function systemRecord({
  extractor,
  encoders,
  matrix,
  writer,
  selection,
  model,
  prompts,
}: PlanIdentity): SystemRecord {
  const [{ id: encoder }, { id: relevanceEncoder }] = encoders;
  const [{ seed }] = selection;
  return {
    ...{ extractor, encoder, relevanceEncoder, matrix, writer, seed },
    models: model?.settings ?? null,
    prompts: prompts && Object.fromEntries(prompts),
  };
}
