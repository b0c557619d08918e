import type { Command, Flags } from '../command.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';

const FLAGS = {
  to: { type: 'string', value: 'FOLDER', about: 'target folder; default TESSERA_MODELS' },
  dtype: { type: 'string', value: 'NAME', about: 'precision of the weights; default q8' },
} as const satisfies Flags;

/** Fetches a model from a hub. */
export const pullCommand: Command = {
  summary: 'Download another encoder or an entailment model.',
  usage: 'MODEL',
  flags: FLAGS,
  notes: 'MODEL is OWNER/NAME on TESSERA_HUB (https://huggingface.co), with weights in ONNX: docs/encoders.md.',
  examples: ['tessera models pull Xenova/bge-small-en-v1.5 --to var/models'],
  async run(args) {
    const { values, positionals } = parseFlags(args, FLAGS);
    const named = { model: onlyPositional(positionals, 'a model of the hub'), dtype: values.dtype };
    const { modelFilesSchema } = await import('../../models/index.ts');
    const wanted = modelFilesSchema.safeParse(named);
    if (!wanted.success) {
      const [{ path, message }] = wanted.error.issues;
      throw new UsageError(`The ${String(path[0])} ${message}.`);
    }
    const { readConfiguration } = await import('../../server/index.ts');
    const { models: configured, hub } = readConfiguration(process.env);
    const folder = values.to ?? configured;
    if (folder === undefined) throw new UsageError('Say where to: TESSERA_MODELS or --to FOLDER.');
    const { model } = wanted.data;
    const { pullModel } = await import('../pull-model.node.ts');
    await pullModel({ ...wanted.data, models: folder, hub }, (file, bytes) => {
      process.stderr.write(`${file} ${bytes} bytes\n`);
    });
    const { readEntailmentLabel } = await import('../../models/index.node.ts');
    const kind = 'problem' in readEntailmentLabel(folder, model) ? 'transformers' : 'entailment';
    process.stdout.write(`${model} is in ${folder}: {"kind":"${kind}","model":"${model}"} in TESSERA_ENCODERS.\n`);
  },
};
