import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { weightsFile } from '../models/index.node.ts';
import { modelFilesSchema } from '../models/index.ts';
import { readConfiguration } from '../server/index.ts';
import { counted, TesseraError } from '../text/index.ts';
import { UsageError } from './command.node.ts';

class ModelPullError extends TesseraError {
  readonly code = 'model-pull';
}

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

/**
 * `models pull`: downloads a model in the layout that the service loads; removes everything on failure.
 * @param named `model` is its name on the hub and that of its folder, such as `Xenova/bge-small-en-v1.5`
 * @param to folder of model folders; by default the configured one
 * @throws UsageError, ModelPullError
 */
export async function pullCommand(
  named: { readonly model: string; readonly dtype: string | undefined },
  to: string | undefined,
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
): Promise<void> {
  const wanted = modelFilesSchema.safeParse(named);
  if (!wanted.success) {
    const [{ path, message }] = wanted.error.issues;
    throw new UsageError(`The ${String(path[0])} ${message}.`);
  }
  const { models: configured, hub } = readConfiguration(process.env);
  const models = to ?? configured;
  if (models === undefined) throw new UsageError('Say where to: TESSERA_MODELS or --to FOLDER.');
  const { model, dtype } = wanted.data;
  const target = join(models, model);
  const unfinished = join(models, `.${model.replace('/', '.')}.${process.pid}`);
  try {
    for (const file of [...FILES, weightsFile(dtype)]) {
      const path = join(unfinished, file);
      mkdirSync(dirname(path), { recursive: true });
      const bytes = await download(`${hub.replace(/\/+$/, '')}/${model}/resolve/main/${file}`, path);
      stderr.write(`${file} ${counted(bytes, 'byte')}\n`);
    }
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  stdout.write(`${model} is in ${models}: {"kind":"transformers","model":"${model}"} in TESSERA_ENCODERS.\n`);
}

/** Checks the file against the hub's hash. @returns its size */
async function download(url: string, path: string): Promise<number> {
  const answer = await fetch(url).catch((cause: unknown) => {
    throw new ModelPullError(`${url} cannot be reached.`, { cause });
  });
  if (!answer.ok || answer.body === null) throw new ModelPullError(`${url} answered ${answer.status}.`);
  const hash = createHash('sha256');
  let bytes = 0;
  const body = Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream); // two names of one class
  body.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  await pipeline(body, createWriteStream(path)).catch((cause: unknown) => {
    throw new ModelPullError(`${url} broke off after ${counted(bytes, 'byte')}.`, { cause });
  });
  // The hub sends the SHA-256 of large files; a redirect may have dropped the header.
  const expected = /^"?([0-9a-f]{64})"?$/.exec(answer.headers.get('x-linked-etag') ?? answer.headers.get('etag') ?? '');
  if (expected !== null && expected[1] !== hash.digest('hex')) throw new ModelPullError(`${url} came damaged.`);
  return bytes;
}
