import type { Readiness } from '../../contract/index.ts';
import { useLoaded } from './use-loaded.ts';

let known: Promise<Readiness> | null = null;

/** What the service offers; null until that is known, and where it does not say. */
export function useServiceOffer(): Readiness | null {
  const [loaded] = useLoaded('offer', () => {
    known ??= readOffer();
    known.catch(() => {
      known = null;
    });
    return known;
  });
  return loaded.state === 'there' ? loaded.value : null;
}

/** Readiness is told to everyone, and no part of the API that the client is of. */
async function readOffer(): Promise<Readiness> {
  const response = await fetch('/readyz');
  if (!response.ok) throw new Error(`/readyz answered ${response.status}`);
  return (await response.json()) as Readiness; // the contract of /readyz
}
