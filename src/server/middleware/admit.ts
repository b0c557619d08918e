import type { Admission } from './admission.ts';
import { OverloadedError } from './overloaded-error.ts';

/**
 * Does work that a caller waits for, if it can be begun in good time.
 *
 * @throws OverloadedError
 */
export async function admit<T>({ enter }: Admission, work: () => Promise<T>): Promise<T> {
  const leave = enter();
  if (leave === null) throw new OverloadedError('waiting');
  try {
    return await work();
  } finally {
    leave();
  }
}
