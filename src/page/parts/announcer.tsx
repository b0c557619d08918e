import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';

const AnnounceContext = createContext<(text: string) => void>(() => {});

/** A live region at the end of the page, in which screen readers hear what changes without being looked at. */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [told, notify] = useState({ text: '', count: 0 });
  const announce = useCallback((text: string) => notify(({ count }) => ({ text, count: count + 1 })), []);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div role="status" class="unseen" id="told">
        {/* A text that is told twice is another element, or it would be heard once. */}
        <span key={told.count}>{told.text}</span>
      </div>
    </AnnounceContext.Provider>
  );
}

/** Tells screen readers a short text. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext);
}
