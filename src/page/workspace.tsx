import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Draft, NO_READER } from './making/draft.ts';

interface Kept extends Draft {
  /** Text that was pasted or typed and is no document yet. */
  readonly pasted: string;
}

/** What digests are made of: it outlives the view that it is put together in, and not the page. */
interface Workspace extends Kept {
  /** Changes some of it. */
  change(part: Partial<Kept>): void;
}

const NOTHING: Kept = { documents: [], intent: '', reader: NO_READER, options: {}, pasted: '' };
const WorkspaceContext = createContext<Workspace | null>(null);

export function WorkspaceProvider({ children }: { readonly children: ComponentChildren }) {
  const [kept, keep] = useState(NOTHING);
  const workspace = useMemo<Workspace>(
    () => ({ ...kept, change: (part) => keep((before) => ({ ...before, ...part })) }),
    [kept],
  );
  return <WorkspaceContext.Provider value={workspace}>{children}</WorkspaceContext.Provider>;
}

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new TypeError('used outside of its provider');
  return workspace;
}
