import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Client, createClient } from '../client/index.ts';
import { type Draft, NO_READER } from './making/draft.ts';
import { type Column, NO_COLUMN } from './tabling/columns.ts';

interface Service {
  readonly client: Client;
  readonly hasKey: boolean;
  /** Changes with the key, since what was loaded belongs to another caller. */
  readonly session: number;
  /** Sets the key, which is kept until the tab is closed; an empty one removes it. */
  setKey(key: string): void;
}

/** A context without a default. @returns its provider, and the hook that reads it */
export function requiredContext<Value>() {
  const Context = createContext<Value | null>(null);
  const use = (): Value => {
    const value = useContext(Context);
    if (value === null) throw new TypeError('used outside of its provider');
    return value;
  };
  return [Context.Provider, use] as const;
}

const STORED = 'tessera-key';
export const [ServiceContext, useService] = requiredContext<Service>();

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
  return <ServiceContext value={service}>{children}</ServiceContext>;
}

interface Kept extends Draft {
  /** Text not yet added as a document. */
  readonly pasted: string;
  /** Of the table. */
  readonly columns: readonly Column[];
}

/** The draft of a digest, kept until the page is closed. */
interface Workspace extends Kept {
  change(part: Partial<Kept> | ((before: Kept) => Partial<Kept>)): void;
}

const NOTHING: Kept = { documents: [], intent: '', reader: NO_READER, options: {}, pasted: '', columns: [NO_COLUMN] };
export const [WorkspaceContext, useWorkspace] = requiredContext<Workspace>();

export function WorkspaceProvider({ children }: { readonly children: ComponentChildren }) {
  const [kept, keep] = useState(NOTHING);
  const workspace = useMemo<Workspace>(
    () => ({
      ...kept,
      change: (part) => keep((before) => ({ ...before, ...(typeof part === 'function' ? part(before) : part) })),
    }),
    [kept],
  );
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}
