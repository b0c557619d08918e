/** Addresses of the threads, which `scripts/build-page.ts` inserts. */
declare const THREADS: { readonly layout: string; readonly file: string };

/** The part of the browser's trusted types that is used here; not every browser has them. */
interface Policy {
  createScriptURL(address: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

const rules: Policy = {
  createScriptURL(address) {
    if (new URL(address).origin !== location.origin) throw new TypeError('a script of another origin');
    return address;
  },
};
const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes; // TypeScript does not know it

/** Scripts of this origin are the only text that becomes code or markup: the browser refuses any other. */
const policy = factory?.createPolicy('tessera', rules) ?? rules;

/** Starts a thread; its owner terminates it. */
export function startThread(name: keyof typeof THREADS): Worker {
  return new Worker(policy.createScriptURL(new URL(THREADS[name], location.origin).href), { type: 'module', name });
}
