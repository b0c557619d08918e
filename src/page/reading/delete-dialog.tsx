import { useState } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';
import { Problem } from '../parts/problem.tsx';
import { useService } from '../service.tsx';
import { Dialog } from './dialog.tsx';
import { forgetDigest } from './stored-digest.ts';

interface DeleteDialogProps {
  readonly id: string;
  /** Told when it is closed, with the digest or without. */
  readonly onClose: (isDeleted: boolean) => void;
}

/** Deletes a digest for good, once that is confirmed. */
export function DeleteDialog({ id, onClose }: DeleteDialogProps) {
  const { client } = useService();
  const announce = useAnnounce();
  const [state, setState] = useState<'ready' | 'at work' | { readonly failure: unknown }>('ready');
  const remove = async () => {
    setState('at work');
    try {
      await client.digests.delete(id);
    } catch (failure) {
      return setState({ failure });
    }
    forgetDigest(client, id);
    announce('The digest was deleted.');
    onClose(true);
  };
  return (
    <Dialog class="read-confirm" label="Delete this digest?" onClose={() => onClose(false)}>
      <h2>Delete this digest?</h2>
      <p>Its link stops working for everyone. This cannot be undone.</p>
      {typeof state === 'object' && <Problem failure={state.failure} />}
      <div class="actions">
        <button type="button" onClick={() => onClose(false)}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={state === 'at work'} onClick={remove}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}
