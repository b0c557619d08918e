import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until something is there, by looking again and again.
 *
 * @param find gives it, or undefined, null or false as long as it is not there
 * @throws where it does not come in time; the message says what was waited for
 */
export async function until<T>(
  what: string,
  find: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  { within = 20_000, every = 5 }: { readonly within?: number; readonly every?: number } = {},
): Promise<T> {
  for (const end = performance.now() + within; ; ) {
    const found = await find();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${within} ms in vain for ${what}`);
    await pause(every);
  }
}
