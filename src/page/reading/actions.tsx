import { useEffect, useRef, useState } from 'preact/hooks';
import { useService } from '../context.tsx';
import { announce, download } from '../parts/browser.ts';
import { Confirm, Menu } from '../parts/overlays.tsx';
import { hrefOf } from '../route.ts';
import { toHtml, toMarkdown, toText } from './exports.ts';
import { forgetDigest, type StoredDigest } from './stored-digest.ts';

const EXPORTS: readonly {
  readonly name: string;
  readonly ending: string;
  readonly type: string;
  readonly write: (stored: StoredDigest) => string;
}[] = [
  { name: 'Markdown', ending: 'md', type: 'text/markdown', write: toMarkdown },
  { name: 'HTML', ending: 'html', type: 'text/html', write: toHtml },
  { name: 'JSON', ending: 'json', type: 'application/json', write: ({ digest }) => JSON.stringify(digest, null, 2) },
];

export function DigestActions(stored: StoredDigest) {
  const { id } = stored.digest;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div class="actions read-actions">
      <CopyButton name="Copy" what="the answer with its citations" text={() => toText(stored)} />
      <CopyButton
        name="Share"
        what="the link"
        text={() => location.origin + location.pathname + hrefOf({ view: 'digest', id, face: 'read' })}
      />
      <Menu name="Export" from="start">
        {(close) =>
          EXPORTS.map(({ name, ending, type, write }) => (
            <button
              key={name}
              type="button"
              onClick={() => {
                download(`${id}.${ending}`, write(stored), type);
                announce(`The digest was downloaded as ${name}.`);
                close();
              }}
            >
              {name}
            </button>
          ))
        }
      </Menu>
      <Menu name="More">
        {(close) => (
          <>
            <a href={hrefOf({ view: 'digest', id, face: 'map' })}>Map of the key points</a>
            <a href={hrefOf({ view: 'compare', left: id, right: null })}>Compare with other options</a>
            <button
              type="button"
              onClick={() => {
                close();
                setDeleting(true);
              }}
            >
              Delete…
            </button>
          </>
        )}
      </Menu>
      {isDeleting && (
        <DeleteDialog
          id={id}
          onClose={(isDeleted) => {
            setDeleting(false);
            if (isDeleted) location.hash = hrefOf({ view: 'digests' });
          }}
        />
      )}
    </div>
  );
}

interface CopyButtonProps {
  readonly name: string;
  readonly what: string;
  readonly text: () => string;
}

/** Milliseconds for which the button shows success. */
const SHOWN = 2500;

/** If the browser refuses, shows the text to be copied by hand. */
function CopyButton({ name, what, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (refused !== null) area.current?.select();
  }, [refused]);
  useEffect(() => {
    if (!isCopied) return;
    const end = setTimeout(() => setCopied(false), SHOWN);
    return () => clearTimeout(end);
  }, [isCopied]);
  const copy = async () => {
    const copied = text();
    try {
      await navigator.clipboard.writeText(copied);
      setCopied(true);
      announce(`Copied ${what}.`);
    } catch {
      setRefused(copied);
    }
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {isCopied ? '✓ Copied' : name}
      </button>
      {refused !== null && (
        <div class="read-by-hand">
          <label>
            Your browser did not allow copying {what}. It is selected here: copy it with the keyboard or menu.
            <textarea ref={area} readOnly rows={6} value={refused} />
          </label>
          <button type="button" onClick={() => setRefused(null)}>
            Done
          </button>
        </div>
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly id: string;
  readonly onClose: (isDeleted: boolean) => void;
}

export function DeleteDialog({ id, onClose }: DeleteDialogProps) {
  const { client } = useService();
  return (
    <Confirm
      title="Delete this digest?"
      text="Its link stops working for everyone. This cannot be undone."
      yes="Delete"
      isDangerous
      act={() => client.digests.delete(id)}
      onDone={() => {
        forgetDigest(client, id);
        announce('The digest was deleted.');
        onClose(true);
      }}
      onClose={() => onClose(false)}
    />
  );
}
