export { addressFetcher } from './runtime/node/guarded-request.node.ts';
export { serve, serveOwnProcess } from './runtime/node/serve.node.ts';
export { openDatabaseOf, type Service, startService } from './runtime/node/service.node.ts';
export { workOnly } from './runtime/node/work.node.ts';
