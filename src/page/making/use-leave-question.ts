import { useEffect } from 'preact/hooks';
import type { SourceDocument } from '../../client/client.ts';
import { hasUnmade } from './made-documents.ts';

/** Has the browser ask before the page is closed or loaded again, while documents would be lost with it. */
export function useLeaveQuestion(documents: readonly SourceDocument[]): void {
  useEffect(() => {
    if (documents.length === 0) return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnmade(documents)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [documents]);
}
