import pLimit from 'p-limit';

/** Jobs under way at once: the model's own limit decides how many calls are. */
const AT_ONCE = 16;

/**
 * Does jobs side by side. Where one fails no other is begun, those under way are waited for, and the first failure is thrown.
 *
 * @returns their results, in order of the jobs
 */
export async function mapConcurrent<T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const limit = pLimit(AT_ONCE);
  const failures: unknown[] = [];
  const run = async (job: () => Promise<T>): Promise<T[]> => {
    if (failures.length > 0) return [];
    try {
      return [await job()];
    } catch (failure) {
      failures.push(failure);
      return [];
    }
  };
  const done = await Promise.all(jobs.map((job) => limit(() => run(job))));
  if (failures.length > 0) throw failures[0];
  return done.flat();
}
