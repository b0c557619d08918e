export { ANSWER_TYPES, shippedAnswerTypes } from './encoders/answer-types.node.ts';
export {
  entailmentId,
  entailmentModel,
  type LocalEntailment,
  readEntailmentLabel,
} from './encoders/entailment.node.ts';
export { missingWeights, weightsFile } from './encoders/model-folder.node.ts';
export { READER_ID, shippedReader } from './encoders/sentence-reader.node.ts';
export { EMBEDDED, type LocalModel, transformersEncoder, transformersProfile } from './encoders/transformers.node.ts';
export { loadPrompts } from './language/load-prompts.node.ts';
export { chooseMatrixProduct, type MatrixChoice } from './linear-algebra/choose-matrix-product.node.ts';
