import { useRef, useState } from 'preact/hooks';
import {
  AuthenticationError,
  ConnectionError,
  createClient,
  OverloadedError,
  ServerError,
  TimeoutError,
} from '../client/index.ts';
import { useService } from './context.tsx';
import { announce } from './parts/browser.ts';
import { Form } from './parts/fields.tsx';

const SAID: Readonly<Record<Exclude<KeyVerdict, 'right'>, string>> = {
  wrong: 'The key was not accepted: it is mistyped, unknown or revoked.',
  unasked: 'The service could not be reached to check the key. Try again in a moment.',
};

export function KeyForm({ onDone }: { readonly onDone: () => void }) {
  const { hasKey, setKey } = useService();
  const [draft, setDraft] = useState('');
  const [state, setState] = useState<'ready' | 'trying' | Exclude<KeyVerdict, 'right'>>('ready');
  const field = useRef<HTMLInputElement>(null);
  const trouble = state === 'wrong' || state === 'unasked' ? SAID[state] : null;

  const take = (key: string, message: string): void => {
    setKey(key);
    setDraft('');
    setState('ready');
    announce(message);
    onDone();
  };
  const give = async (): Promise<void> => {
    const key = draft.trim();
    if (state === 'trying') return;
    if (key === '') return field.current?.focus();
    setState('trying');
    const verdict = await tryKey(location.origin, key);
    if (verdict === 'right') return take(key, 'The key was accepted.');
    setState(verdict);
    field.current?.focus();
  };
  return (
    <Form class="key" onSubmit={() => void give()}>
      <label>
        API key{hasKey && ' (one is in use)'}
        <input
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={draft}
          readOnly={state === 'trying'}
          aria-invalid={state === 'wrong'}
          aria-describedby={trouble === null ? 'key-hint' : 'key-trouble'}
          onInput={({ currentTarget }) => {
            setDraft(currentTarget.value);
            setState('ready');
          }}
        />
      </label>
      {trouble !== null && (
        <p id="key-trouble" class="problem" role="alert">
          {trouble}
        </p>
      )}
      <p id="key-hint" class="muted">
        Kept for this tab only. A local service needs no key until you create one.
      </p>
      <button type="submit" class="primary" aria-disabled={state === 'trying'}>
        {state === 'trying' ? 'Checking…' : 'Use key'}
      </button>{' '}
      {hasKey && (
        <button type="button" onClick={() => take('', 'The key was removed.')}>
          Remove key
        </button>
      )}
    </Form>
  );
}

/** `unasked` if the service could not be reached. */
type KeyVerdict = 'right' | 'wrong' | 'unasked';

async function tryKey(baseUrl: string, apiKey: string): Promise<KeyVerdict> {
  // Other characters cannot be sent as a key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return 'wrong';
  const { digests } = createClient({ baseUrl, apiKey, maxRetries: 1, timeoutMilliseconds: 20_000 });
  try {
    for await (const _ of digests.list({ limit: 1 }).pages()) break;
    return 'right';
  } catch (failure) {
    if (failure instanceof AuthenticationError) return 'wrong';
    const kinds = [ConnectionError, TimeoutError, OverloadedError, ServerError];
    return kinds.some((kind) => failure instanceof kind) ? 'unasked' : 'right';
  }
}
