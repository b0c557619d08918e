export { startEvaluationThreads } from './threads/evaluation-threads.node.ts';
