import type { ModelSettings } from '../../models/index.ts';
import type { PlanIdentity } from '../comparison/identity-of-plan.ts';

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
  readonly models: Readonly<Record<string, ModelSettings>> | null;
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
