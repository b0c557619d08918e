import type { StageRecord, VariantOptions } from '../../contract/index.ts';
import type { DigestDeps, Plan } from '../../digest/index.ts';
import type { EncoderProfile, Prompts, RelevanceScorer } from '../../models/index.ts';
import type { SelectionOptions } from '../../selection/index.ts';
import { oncePer } from '../once-per.ts';

/** What a digest depends on, as values of JSON. */
export interface PlanIdentity {
  readonly extractor: string;
  /** Of the kernel and of relevance. */
  readonly encoders: readonly [EncoderProfile, RelevanceScorer['profile']];
  readonly matrix: string;
  readonly writer: string;
  /** Null where no language model is asked. */
  readonly model: {
    readonly asked: VariantOptions['engine'];
    /** Of each stage that asks. */
    readonly settings: Readonly<Record<string, StageRecord>>;
    readonly name: string | null | undefined;
    /** What holds its wording against the quotes. */
    readonly verifier: string | null;
  } | null;
  /** Ids and hashes of all that may be asked by; null where no language model is. */
  readonly prompts: readonly (readonly [string, string])[] | null;
  /** In lists of statements, and in running text. */
  readonly selection: readonly [SelectionOptions, SelectionOptions];
  readonly [field: string]: unknown;
}

/** What is read and encoded for a digest: the same for those that share this. */
export function readingOf({ extractor, encoders }: PlanIdentity): string {
  return JSON.stringify([extractor, encoders]);
}

/** All that a digest depends on beside its documents and its intent. */
export function identityOfPlan(plan: Plan, asked: VariantOptions, { engine, models }: DigestDeps): PlanIdentity {
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
    model: usesModel
      ? { asked: asked.engine, settings, name: models.model?.defaultModel, verifier: plan.verifiedBy }
      : null,
    // Those of later stages are not known before.
    prompts: usesModel ? promptsOf(models.prompts) : null,
  };
}

/** The same for every plan over the same prompts, and made once. */
const promptsOf = oncePer((prompts: Prompts): NonNullable<PlanIdentity['prompts']> => {
  const used = [...prompts.values()].filter(({ stage }) => stage !== 'benchmark');
  return used.map(({ id, hash }): [string, string] => [id, hash]).toSorted();
});

/** What made the outputs of a system: enough to make them again. */
export interface SystemRecord {
  readonly extractor: string;
  readonly encoder: string;
  readonly relevanceEncoder: string;
  readonly matrix: string;
  readonly writer: string;
  /** Of what is drawn. */
  readonly seed: number;
  /** Settings of the stages that ask a language model; null where none is asked. */
  readonly models: Readonly<Record<string, StageRecord>> | null;
  /** Hashes of all prompts that may be asked by, by id; null where no language model is asked. */
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
