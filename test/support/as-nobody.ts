/** Runs something as a user who owns nothing, since root may read whatever the permissions say. */
export async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
