import { useEffect, useState } from 'preact/hooks';

/** Announces a short text to screen readers, through the live region at the end of the page. */
export function announce(text: string): void {
  // A new element each time; otherwise a repeated text is not announced.
  const said = document.createElement('span');
  said.textContent = text;
  document.getElementById('told')?.replaceChildren(said);
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setMatches(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return matches;
}

/** @param content a text of the type, or a blob */
export function download(name: string, content: string | Blob, type?: string): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: type ?? 'text/plain' }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Addresses of the threads, which `scripts/build-page.ts` inserts. */
declare const THREADS: { readonly file: string };

/** The part of Trusted Types used here; some browsers lack them. */
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

/** Only scripts of this origin may become code or markup. */
let policy: Policy | undefined;

/** Starts a thread; its owner terminates it. */
export function startThread(name: keyof typeof THREADS): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }; // TypeScript does not know it
  // A policy can be created once.
  policy ??= trustedTypes?.createPolicy('tessera', rules) ?? rules;
  return new Worker(policy.createScriptURL(new URL(THREADS[name], location.origin).href), { type: 'module', name });
}
