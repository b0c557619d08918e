import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { DigestInput, SourceDocument } from '../client/client.ts';

/** Options of a digest as they are sent. */
export type DigestOptions = Pick<DigestInput, 'selection' | 'summary' | 'engine'>;

/** What digests are made of: it outlives the view that it is put together in, and not the page. */
export interface Workspace {
  readonly documents: readonly SourceDocument[];
  readonly intent: string;
  readonly options: DigestOptions;
  /** Changes some of it. */
  change(part: Partial<Pick<Workspace, 'documents' | 'intent' | 'options'>>): void;
}

const WorkspaceContext = createContext<Workspace | null>(null);

export function WorkspaceProvider({ children }: { readonly children: ComponentChildren }) {
  const [held, hold] = useState<Pick<Workspace, 'documents' | 'intent' | 'options'>>({
    documents: [],
    intent: '',
    options: {},
  });
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
