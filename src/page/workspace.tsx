import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Draft, NO_READER } from './making/draft.ts';

/** What digests are made of: it outlives the view that it is put together in, and not the page. */
export interface Workspace extends Draft {
  /** Changes some of it. */
  change(part: Partial<Draft>): void;
}

const WorkspaceContext = createContext<Workspace | null>(null);

export function WorkspaceProvider({ children }: { readonly children: ComponentChildren }) {
  const [held, hold] = useState<Draft>({ documents: [], intent: '', reader: NO_READER, options: {} });
  const workspace = useMemo<Workspace>(
    () => ({ ...held, change: (part) => hold((before) => ({ ...before, ...part })) }),
    [held],
  );
  return <WorkspaceContext.Provider value={workspace}>{children}</WorkspaceContext.Provider>;
}

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new TypeError('used outside of its provider');
  return workspace;
}
