export { missingWeights, weightsFile } from './encoders/model-folder.node.ts';
export { READER_ID, shippedReader } from './encoders/sentence-reader.node.ts';
export { EMBEDDED, type LocalModel, transformersEncoder, transformersProfile } from './encoders/transformers.node.ts';
export { loadPrompts } from './language/load-prompts.node.ts';
export { chooseMatrixProduct, type MatrixChoice } from './linear-algebra/onnxruntime.node.ts';
