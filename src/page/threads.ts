import { trustedScript } from './trusted.ts';

/** Addresses of what runs beside the page, which `scripts/build-page.ts` puts in. */
declare const THREADS: { readonly layout: string; readonly file: string };

/** Starts a thread; whoever starts it ends it. */
export function startThread(name: keyof typeof THREADS): Worker {
  return new Worker(trustedScript(new URL(THREADS[name], location.origin).href), { type: 'module', name });
}
