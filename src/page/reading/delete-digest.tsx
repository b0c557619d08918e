import { useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { Dialog } from './dialog.tsx';
import { forgetDigest } from './stored-digest.ts';

/** Removes a digest for good, when that was said twice, and goes to those that are left. */
export function DeleteDigest({ id }: { readonly id: string }) {
  const { client } = useService();
  const announce = useAnnounce();
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'closed' | 'asking' | 'at work' | { readonly failure: unknown }>('closed');
  const close = () => {
    setState('closed');
    button.current?.focus();
  };
  const remove = async () => {
    setState('at work');
    try {
      await client.digests.delete(id);
    } catch (failure) {
      return setState({ failure });
    }
    forgetDigest(client, id);
    announce('The digest was deleted.');
    location.hash = hrefOf({ view: 'digests' });
  };
  return (
    <>
      <button type="button" ref={button} onClick={() => setState('asking')}>
        Delete
      </button>
      {state !== 'closed' && (
        <Dialog class="read-confirm" label="Delete this digest?" onClose={close}>
          <h2>Delete this digest?</h2>
          <p>Its link stops working for everyone, and it cannot be brought back.</p>
          {typeof state === 'object' && <Problem failure={state.failure} />}
          <div class="actions">
            <button type="button" onClick={close}>
              Keep it
            </button>
            <button type="button" class="primary" disabled={state === 'at work'} onClick={remove}>
              Delete it
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
