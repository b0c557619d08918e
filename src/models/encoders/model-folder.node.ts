import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { packageFile } from '../../text/index.node.ts';
import { eightBitSession } from '../linear-algebra/onnxruntime.node.ts';
import type { Dtype } from './encoder-specs.ts';

export const SHIPPED_MODELS = packageFile('models');

const SUFFIX: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

export function missingWeights(models: string | undefined, model: string, dtype: Dtype): string | null {
  const file = `${model}/${weightsFile(dtype)}`;
  return models !== undefined && existsSync(join(models, file)) ? null : `it needs ${file} in TESSERA_MODELS`;
}

export function weightsFile(dtype: Dtype): string {
  return `onnx/model${SUFFIX[dtype]}.onnx`;
}

/** @throws if the model's files are missing, or onnxruntime has no binary for this machine */
export async function loadModel(kind: 'AutoModel' | 'AutoModelForTokenClassification', folder: string, dtype: Dtype) {
  const { [kind]: loader, AutoTokenizer, env } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  // Absolute paths are used as they are; names would be looked up in one folder per process.
  const path = resolve(folder);
  // Without a trial, as products that cannot overflow.
  const session = await eightBitSession().catch(() => ({ x64quantprecision: '1' }));
  const session_options = { intraOpNumThreads: 1, extra: { session } }; // one thread, as texts run in parallel
  const [model, tokenizer] = await Promise.all([
    loader.from_pretrained(path, { dtype, session_options }),
    AutoTokenizer.from_pretrained(path),
  ]);
  return { model, tokenizer };
}

const size = z.int().min(1).optional();
const configSchema = z.object({
  ...{ hidden_size: size, d_model: size, dim: size, n_embd: size },
  ...{ max_position_embeddings: size, n_positions: size },
});
// Tokenizers without a limit say 1e30.
const tokenizerSchema = z.object({ model_max_length: z.number().positive().optional() });

export function readModelConfig(models: string, model: string) {
  const config = configSchema.parse(readJson(models, model, 'config.json'));
  const tokenizer = tokenizerSchema.parse(readJson(models, model, 'tokenizer_config.json'));
  const dimensions = config.hidden_size ?? config.d_model ?? config.dim ?? config.n_embd;
  if (dimensions === undefined) throw new Error(`${join(models, model, 'config.json')} names no hidden_size`);
  const positions = config.max_position_embeddings ?? config.n_positions ?? Number.POSITIVE_INFINITY;
  return { dimensions, maxTokens: Math.min(positions, tokenizer.model_max_length ?? Number.POSITIVE_INFINITY) };
}

function readJson(models: string, model: string, file: string): unknown {
  return JSON.parse(readFileSync(join(models, model, file), 'utf8'));
}
