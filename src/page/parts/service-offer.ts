import type { ModelDefaults } from './change-options.ts';
import { useLoaded } from './use-loaded.ts';

/** What a service says of itself: what it can be asked to work with. */
export interface ServiceOffer extends ModelDefaults {
  /** The encoder where a request names none. */
  readonly encoder: string;
  readonly encoders: readonly string[];
  /** Null where there is no language model; its name is null where each request has to say it. */
  readonly languageModel: { readonly model: string | null } | null;
}

let known: Promise<ServiceOffer> | null = null;

/** What the service offers; null until that is known, and where it does not say. */
export function useServiceOffer(): ServiceOffer | null {
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
async function readOffer(): Promise<ServiceOffer> {
  const response = await fetch('/readyz');
  if (!response.ok) throw new Error(`/readyz answered ${response.status}`);
  return (await response.json()) as ServiceOffer; // the contract of /readyz
}
