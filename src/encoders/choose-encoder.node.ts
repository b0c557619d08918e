import type { Encoder, EncoderProfile } from './encoder.ts';
import type { Dtype, TransformersSpec } from './encoder-specs.ts';
import { holdsModel, weightsFile } from './model-folder.node.ts';
import {
  MINILM,
  MINILM_SPEC,
  transformersEncoder,
  transformersProfile,
  transformersProfileOf,
} from './transformers.node.ts';
import { useLiteEncoder, useLiteProfile } from './use-lite.node.ts';

export const ENCODER_NAMES = ['use-lite', 'transformers'] as const;
export type EncoderName = (typeof ENCODER_NAMES)[number];

/** An encoder that runs in this process: one that is built in, or a configured model. */
export type LocalEncoder = EncoderName | TransformersSpec;

/** Whether the folder holds the weights of `transformers`, or of the model that is named. */
export function hasTransformersModel(
  models: string | undefined,
  model: string = MINILM,
  dtype: Dtype = 'q8',
): models is string {
  return holdsModel(models, model, dtype);
}

/** The encoder that `auto` stands for: `transformers` where its weights are there, else `use-lite`, which needs none. */
export function defaultEncoder(models: string | undefined): EncoderName {
  return hasTransformersModel(models) ? 'transformers' : 'use-lite';
}

/** The encoders of this process by name: those built in whose weights are there, and what is configured, over them. */
export function localEncoders(
  models: string | undefined,
  configured: ReadonlyMap<string, TransformersSpec>,
): Map<string, LocalEncoder> {
  const builtIn = ENCODER_NAMES.filter((name) => name !== 'transformers' || hasTransformersModel(models));
  return new Map<string, LocalEncoder>([...builtIn.map((name) => [name, name] as const), ...configured]);
}

/** What an encoder lacks to be loaded, in a sentence; null where nothing. */
export function lackingWeights(encoder: LocalEncoder, models: string | undefined): string | null {
  if (encoder === 'use-lite') return null;
  const { model, dtype } = encoder === 'transformers' ? MINILM_SPEC : encoder;
  if (hasTransformersModel(models, model, dtype)) return null;
  if (encoder === 'transformers') {
    return `the encoder "transformers" needs ${MINILM} in TESSERA_MODELS; "tessera models pull" fetches it`;
  }
  return `the model "${model}" needs ${model}/${weightsFile(dtype)} in TESSERA_MODELS`;
}

/**
 * The facts about an encoder, without loading it.
 *
 * @param models folder of model folders; needed by configured models
 * @throws where a configured model's folder does not say them
 */
export function encoderProfile(encoder: LocalEncoder, models?: string): EncoderProfile {
  if (encoder === 'use-lite') return useLiteProfile;
  return encoder === 'transformers' ? transformersProfile : transformersProfileOf(models ?? '', encoder);
}

/**
 * Loads an encoder.
 *
 * @param models folder of model folders; needed by all but `use-lite`
 * @throws where the weights are missing
 */
export async function loadEncoder(encoder: LocalEncoder, models: string | undefined): Promise<Encoder> {
  if (encoder === 'use-lite') return useLiteEncoder();
  const lacking = lackingWeights(encoder, models);
  if (models === undefined || lacking !== null) throw new Error(lacking ?? 'TESSERA_MODELS is not set');
  return transformersEncoder(models, encoder === 'transformers' ? MINILM_SPEC : encoder);
}
