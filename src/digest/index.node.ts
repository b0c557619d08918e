export { startThreads, type ThreadedEngine } from './threads/threads.node.ts';
