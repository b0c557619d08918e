import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Client, createClient } from '../client/index.ts';

/** The service that the page is of, and the key it is asked with. */
interface Service {
  readonly client: Client;
  readonly hasKey: boolean;
  /** Another with each key: what was loaded before is another caller's. */
  readonly session: number;
  /** An empty key is none. It is kept until the tab is closed. */
  setKey(key: string): void;
}

const STORED = 'tessera-key';
const ServiceContext = createContext<Service | null>(null);

export function ServiceProvider({ children }: { readonly children: ComponentChildren }) {
  const [{ key, session }, hold] = useState(() => ({ key: sessionStorage.getItem(STORED) ?? '', session: 1 }));
  const service = useMemo<Service>(
    () => ({
      client: createClient({ baseUrl: location.origin, apiKey: key === '' ? undefined : key }),
      hasKey: key !== '',
      session,
      setKey(given) {
        if (given === '') sessionStorage.removeItem(STORED);
        else sessionStorage.setItem(STORED, given);
        hold((before) => ({ key: given, session: before.session + 1 }));
      },
    }),
    [key, session],
  );
  return <ServiceContext.Provider value={service}>{children}</ServiceContext.Provider>;
}

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (service === null) throw new TypeError('used outside of its provider');
  return service;
}
