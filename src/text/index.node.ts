export { packageFile } from './package-file.node.ts';
