export { startDigestThreads } from './threads/digest-threads.node.ts';
export { startHostedThreads } from './threads/hosted-threads.node.ts';
export { startThreads, type ThreadedEngine } from './threads/threads.node.ts';
