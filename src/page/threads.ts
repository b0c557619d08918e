import { trusted } from './trusted.ts';

/** Addresses of what runs beside the page, which `scripts/build-page.ts` puts in. */
declare const THREADS: { readonly layout: string; readonly pdf: string };

/** Starts a thread; whoever starts it ends it. */
export function startThread(name: keyof typeof THREADS): Worker {
  return new Worker(trusted.scriptAddress(new URL(THREADS[name], location.origin).href), { type: 'module', name });
}
