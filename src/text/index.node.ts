export { fileReader } from './files/file-reader.node.ts';
export { isOutOfMemory, packageFile } from './runtime.node.ts';
