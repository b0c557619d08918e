export { type EvaluationThreads, startEvaluationThreads } from './threads/evaluation-threads.node.ts';
