/**
 * Writes `models/best-matches`: the ONNX graph by which tokens of statements are compared (`src/models/linear-algebra/onnxruntime.node.ts`).
 * Run it where the graph has changed.
 *
 * Protocol buffers are written by hand: the graph has eight nodes, and nothing in the project writes ONNX else.
 */
import { mkdirSync, writeFileSync } from 'node:fs';

const FLOAT = 1;
const UINT8 = 2;
const INT8 = 3;
const INT64 = 7;

type Bytes = readonly number[];

function varint(value: number): Bytes {
  const rest = Math.floor(value / 128);
  return rest === 0 ? [value] : [(value % 128) + 128, ...varint(rest)];
}

const int = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, value: Bytes): Bytes => [...varint(field * 8 + 2), ...varint(value.length), ...value];
const text = (field: number, value: string): Bytes => bytes(field, [...new TextEncoder().encode(value)]);

const attribute = (name: string, value: number): Bytes => [...text(1, name), ...int(3, value), ...int(20, 2)];
const listAttribute = (name: string, value: number): Bytes => [...text(1, name), ...int(8, value), ...int(20, 7)];

function node(type: string, inputs: readonly string[], output: string, attributes: readonly Bytes[] = []): Bytes {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...text(2, output),
    ...text(4, type),
    ...attributes.flatMap((each) => bytes(5, each)),
  ];
}

function value(name: string, type: number, dimensions: readonly (number | string)[]): Bytes {
  const shape = dimensions.flatMap((each) => bytes(1, typeof each === 'string' ? text(2, each) : int(1, each)));
  return [...text(1, name), ...bytes(2, bytes(1, [...int(1, type), ...bytes(2, shape)]))];
}

const greatest = (input: string, output: string, axis: number): Bytes =>
  node('ReduceMax', [input], output, [listAttribute('axes', axis), attribute('keepdims', 0)]);

const nodes = [
  node('MatMulInteger', ['left', 'right', 'zero'], 'dots'),
  node('Cast', ['dots'], 'floats', [attribute('to', FLOAT)]),
  // Scales first, so that two tokens have the same cosine whichever is on the left.
  node('Mul', ['left_scales', 'right_scales'], 'scales'),
  node('Mul', ['floats', 'scales'], 'products'),
  node('Reshape', ['products', 'by_right_items'], 'of_right_items'),
  greatest('of_right_items', 'there', 2),
  node('Reshape', ['products', 'by_left_items'], 'of_left_items'),
  greatest('of_left_items', 'back', 1),
];
const inputs = [
  value('left', UINT8, ['left_rows', 'inner']),
  value('right', INT8, ['inner', 'right_rows']),
  value('left_scales', FLOAT, ['left_rows', 1]),
  value('right_scales', FLOAT, [1, 'right_rows']),
  value('by_right_items', INT64, [3]),
  value('by_left_items', INT64, [3]),
];
const outputs = [
  value('there', FLOAT, ['left_rows', 'right_items']),
  value('back', FLOAT, ['left_items', 'right_rows']),
];
const zero = [...int(1, 1), ...int(2, UINT8), ...text(8, 'zero'), ...bytes(9, [128])];
const graph = [
  ...nodes.flatMap((each) => bytes(1, each)),
  ...text(2, 'best matches'),
  ...bytes(5, zero),
  ...inputs.flatMap((each) => bytes(11, each)),
  ...outputs.flatMap((each) => bytes(12, each)),
];
const model = [...int(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...int(2, 13)])];

const folder = new URL('../models/best-matches/', import.meta.url);
mkdirSync(new URL('onnx/', folder), { recursive: true });
writeFileSync(new URL('onnx/model.onnx', folder), Uint8Array.from(model));
// A type whose inputs @xenova/transformers passes on as they are.
writeFileSync(new URL('config.json', folder), `${JSON.stringify({ model_type: 'bert' }, null, 2)}\n`);
