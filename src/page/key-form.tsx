import { useState } from 'preact/hooks';
import { useService } from './service.tsx';

/** Where a key is given, which services that others can reach ask for. */
export function KeyForm() {
  const { hasKey, setKey } = useService();
  const [draft, setDraft] = useState('');
  return (
    <details class="key">
      <summary>{hasKey ? 'Key in use' : 'Key'}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setKey(draft.trim());
          setDraft('');
        }}
      >
        <label>
          API key
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={draft}
            onInput={({ currentTarget }) => setDraft(currentTarget.value)}
          />
        </label>
        <p class="muted">
          It stays in this tab until the tab is closed. On your own machine none is needed until the first is made.
        </p>
        <button type="submit">Use it</button>
        {hasKey && (
          <button type="button" onClick={() => setKey('')}>
            Forget it
          </button>
        )}
      </form>
    </details>
  );
}
