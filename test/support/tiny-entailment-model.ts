import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMBEDDED } from '../../src/models/index.node.ts';
import { temporaryFolder } from './temporary-folder.ts';

const TOKENIZER = join(EMBEDDED.models, EMBEDDED.spec.model);

/** Its folder in the folder of models. */
export const TINY = 'tiny-entailment';

export interface TinyModelOptions {
  /** Of the weights, in the order of their logits; those of the configuration where it says nothing else. */
  readonly labels?: readonly string[];
  /** Of `config.json`, over what stands there. */
  readonly config?: object;
  /** Of `tokenizer_config.json`, over what stands there. */
  readonly tokenizer?: object;
}

/**
 * A folder of models with one in ONNX that says "entailment" with a probability above 0.999 where every token of the claim
 * stands in the premise, and below 0.001 where one does not. Its tokenizer is that of all-MiniLM-L6-v2.
 */
export function tinyEntailmentModel(
  { labels = ['entailment', 'neutral', 'contradiction'], config = {}, tokenizer = {} }: TinyModelOptions = {},
  models = temporaryFolder(),
): string {
  const folder = join(models, TINY);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  cpSync(join(TOKENIZER, 'tokenizer.json'), join(folder, 'tokenizer.json'));
  const write = (file: string, value: object) => writeFileSync(join(folder, file), JSON.stringify(value));
  write('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 512, ...tokenizer });
  write('config.json', {
    model_type: 'bert',
    architectures: ['BertForSequenceClassification'],
    id2label: { ...labels },
    ...config,
  });
  writeFileSync(join(folder, 'onnx', 'model.onnx'), weights(labels));
  return models;
}

/** ONNX's own numbers of types. */
const [FLOAT, INT64] = [1, 7];

function weights(labels: readonly string[]): Uint8Array {
  const logits = labels.map((label, at) =>
    /^\s*entailment\s*$/i.test(label)
      ? node('Sub', ['four', 'eightfold'], `logit${at}`)
      : node('Sub', [/neutral|^not/i.test(label) ? 'eightfold' : 'zeros', 'four'], `logit${at}`),
  );
  const nodes = [
    node('Cast', ['token_type_ids'], 'types', [integer('to', FLOAT)]),
    node('Cast', ['attention_mask'], 'mask', [integer('to', FLOAT)]),
    node('Mul', ['types', 'mask'], 'claim'),
    node('Sub', ['mask', 'claim'], 'premise'),
    node('Unsqueeze', ['input_ids', 'axis1'], 'across'),
    node('Unsqueeze', ['input_ids', 'axis2'], 'down'),
    node('Equal', ['down', 'across'], 'equal'),
    node('Cast', ['equal'], 'same', [integer('to', FLOAT)]),
    node('Unsqueeze', ['premise', 'axis1'], 'there'),
    node('Mul', ['same', 'there'], 'hits'),
    node('ReduceMax', ['hits'], 'found', [integers('axes', [2]), integer('keepdims', 0)]),
    node('Mul', ['claim', 'found'], 'borne'),
    node('Sub', ['claim', 'borne'], 'lacking'),
    node('ReduceSum', ['lacking', 'axis1'], 'missing', [integer('keepdims', 1)]),
    node('Mul', ['missing', 'eight'], 'eightfold'),
    node('Mul', ['missing', 'zero'], 'zeros'),
    ...logits,
    node(
      'Concat',
      labels.map((_, at) => `logit${at}`),
      'logits',
      [integer('axis', 1)],
    ),
  ];
  const initializers = [
    tensor('axis1', INT64, new BigInt64Array([1n])),
    tensor('axis2', INT64, new BigInt64Array([2n])),
    tensor('zero', FLOAT, new Float32Array([0])),
    tensor('four', FLOAT, new Float32Array([4])),
    tensor('eight', FLOAT, new Float32Array([8])),
  ];
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
  const graph = [
    ...nodes.map((each) => bytes(1, each)),
    text(2, 'tiny'),
    ...initializers.map((each) => bytes(5, each)),
    ...inputs.map((name) => bytes(11, valueInfo(name, INT64))),
    bytes(12, valueInfo('logits', FLOAT)),
  ];
  return Buffer.concat([number(1, 8), bytes(7, Buffer.concat(graph)), bytes(8, number(2, 13))]);
}

// What follows writes the protocol buffers of onnx.proto: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

function node(op: string, inputs: readonly string[], output: string, attributes: readonly Buffer[] = []): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, op),
    ...attributes.map((each) => bytes(5, each)),
  ]);
}

function integer(name: string, value: number): Buffer {
  return Buffer.concat([text(1, name), number(3, value), number(20, 2)]);
}

function integers(name: string, values: readonly number[]): Buffer {
  return Buffer.concat([text(1, name), ...values.map((value) => number(8, value)), number(20, 7)]);
}

function tensor(name: string, type: number, values: Float32Array | BigInt64Array): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([number(1, values.length), number(2, type), text(8, name), bytes(9, raw)]);
}

/** Of two dimensions of any size. */
function valueInfo(name: string, type: number): Buffer {
  const shape = Buffer.concat([bytes(1, text(2, `${name}_0`)), bytes(1, text(2, `${name}_1`))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, Buffer.concat([number(1, type), bytes(2, shape)])))]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
}

function varint(value: number): Buffer {
  const written: number[] = [];
  let left = value;
  for (; left > 127; left >>>= 7) written.push((left & 127) | 128);
  return Buffer.from([...written, left]);
}
