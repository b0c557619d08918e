import { afterAll, beforeAll } from 'vitest';
import { behaves } from './behaviour.ts';
import { startNode } from './node-runtime.ts';
import { type Service, serviceOver } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = serviceOver(await startNode());
});
afterAll(() => service.runtime.close());

behaves(() => service);
