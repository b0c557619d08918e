import { NO_METRICS } from '../../service-metrics.ts';
import type { Configuration } from '../configuration.ts';
import { startService } from './service.node.ts';
import { startWork } from './work.node.ts';

/** Does the work in the database, without answering anybody, until SIGINT or SIGTERM. */
export async function workOnly(configuration: Configuration): Promise<void> {
  const service = await startService(configuration);
  await service.deps.engine.warmUp();
  const work = startWork(service, configuration.service, NO_METRICS);
  service.log.info({ worker: work.worker.owner, jobs: configuration.service.jobs }, 'working');
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      service.log.info({ signal }, 'stopping');
      void work.stop(configuration.service.shutdownMilliseconds).then(() => service.close());
    });
  }
}
