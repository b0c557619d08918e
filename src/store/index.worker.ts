export { openD1 } from './open-d1.worker.ts';
