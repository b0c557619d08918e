import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Encoder, EncoderProfile } from './encoder.ts';
import { MINILM, transformersEncoder, transformersProfile } from './transformers.node.ts';
import { useLiteEncoder, useLiteProfile } from './use-lite.node.ts';

export const ENCODER_NAMES = ['use-lite', 'transformers'] as const;
export type EncoderName = (typeof ENCODER_NAMES)[number];

/** Whether the folder holds the weights of `transformers`. */
export function hasTransformersModel(models: string | undefined): models is string {
  return models !== undefined && existsSync(join(models, MINILM, 'onnx', 'model_quantized.onnx'));
}

/** The encoder that `auto` stands for: `transformers` where its weights are there, else `use-lite`, which needs none. */
export function defaultEncoder(models: string | undefined): EncoderName {
  return hasTransformersModel(models) ? 'transformers' : 'use-lite';
}

/** The facts about an encoder, without loading it. */
export function encoderProfile(name: EncoderName): EncoderProfile {
  return name === 'transformers' ? transformersProfile : useLiteProfile;
}

/**
 * Loads an encoder.
 *
 * @param models folder of model folders; needed by `transformers`
 * @throws where the weights are missing
 */
export async function loadEncoder(name: EncoderName, models: string | undefined): Promise<Encoder> {
  if (name === 'use-lite') return useLiteEncoder();
  if (!hasTransformersModel(models)) {
    throw new Error(`the encoder "transformers" needs ${MINILM} in TESSERA_MODELS; "tessera models pull" fetches it`);
  }
  return transformersEncoder(models);
}
