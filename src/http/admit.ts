import type { Admission } from './admission.ts';
import { OverloadedError } from './overloaded-error.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/**
 * Does work that a caller waits for, if it can be begun in good time.
 *
 * @throws OverloadedError
 */
export async function admit<T>(
  { enter }: Admission,
  metrics: Pick<ServiceMetrics, 'shed'>,
  work: () => Promise<T>,
): Promise<T> {
  const leave = enter();
  if (leave === null) {
    metrics.shed('waiting');
    throw new OverloadedError();
  }
  try {
    return await work();
  } finally {
    leave();
  }
}
