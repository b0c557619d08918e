import { useId, useState } from 'preact/hooks';
import { useService } from './context.tsx';
import { announce } from './parts/browser.ts';
import { Form } from './parts/fields.tsx';

/** Sets the API key. A wrong one is told by the view, which loads again with it. */
export function KeyForm({ onDone }: { readonly onDone?: () => void }) {
  const { hasKey, setKey } = useService();
  const [draft, setDraft] = useState('');
  const hint = useId();
  const take = (key: string, message: string): void => {
    setKey(key);
    setDraft('');
    announce(message);
    onDone?.();
  };
  return (
    <Form class="key" onSubmit={() => take(draft.trim(), 'The key is in use.')}>
      <label>
        API key{hasKey && ' (one is in use)'}
        <input
          type="password"
          required
          autocomplete="off"
          spellcheck={false}
          pattern="\s*[\x21-\x7e]+\s*"
          title="Letters, digits and signs without spaces"
          value={draft}
          aria-describedby={hint}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        />
      </label>
      <p id={hint} class="muted">
        Kept for this tab only. A local service needs no key until you create one.
      </p>
      <button type="submit" class="primary">
        Use key
      </button>{' '}
      {hasKey && (
        <button type="button" onClick={() => take('', 'The key was removed.')}>
          Remove key
        </button>
      )}
    </Form>
  );
}
