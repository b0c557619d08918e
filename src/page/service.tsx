import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Client, createClient } from '../client/client.ts';

/** The service that the page is of, and the key it is asked with. */
export interface Service {
  readonly client: Client;
  readonly hasKey: boolean;
  /** An empty key is none. It is kept until the tab is closed. */
  setKey(key: string): void;
}

const STORED = 'tessera-key';
const ServiceContext = createContext<Service | null>(null);

export function ServiceProvider({ children }: { readonly children: ComponentChildren }) {
  const [key, keep] = useState(() => sessionStorage.getItem(STORED) ?? '');
  const service = useMemo<Service>(
    () => ({
      client: createClient({ baseUrl: location.origin, apiKey: key === '' ? undefined : key }),
      hasKey: key !== '',
      setKey(given) {
        if (given === '') sessionStorage.removeItem(STORED);
        else sessionStorage.setItem(STORED, given);
        keep(given);
      },
    }),
    [key],
  );
  return <ServiceContext.Provider value={service}>{children}</ServiceContext.Provider>;
}

export function useService(): Service {
  return present(useContext(ServiceContext));
}

function present<T>(value: T | null): T {
  if (value === null) throw new TypeError('used outside of its provider');
  return value;
}
