import { useState } from 'preact/hooks';
import { type Exported, toHtml, toMarkdown, toText } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce, download } from '../parts/browser.ts';
import { Confirm, Menu } from '../parts/overlays.tsx';
import { hrefOf } from '../route.ts';
import { headingOf } from './intent.tsx';
import { documentsOf } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

const EXPORTS: readonly {
  readonly name: string;
  readonly ending: string;
  readonly type: string;
  readonly write: (exported: Exported) => string;
}[] = [
  { name: 'Markdown', ending: 'md', type: 'text/markdown', write: toMarkdown },
  { name: 'HTML', ending: 'html', type: 'text/html', write: toHtml },
  { name: 'JSON', ending: 'json', type: 'application/json', write: ({ digest }) => JSON.stringify(digest, null, 2) },
];

export function exportedOf(stored: StoredDigest): Exported {
  return { heading: headingOf(stored.request.intent), digest: stored.digest, documentOf: documentsOf(stored) };
}

export function DigestActions(stored: StoredDigest) {
  const { id } = stored.digest;
  const exported = exportedOf(stored);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div class="actions">
      <CopyButton name="Copy" what="the answer with its citations" text={() => toText(exported)} />
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
                download(`${id}.${ending}`, write(exported), type);
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

/** If the browser refuses, shows the text in a dialog of its own, to be copied by hand. */
function CopyButton({ name, what, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const copied = text();
    try {
      await navigator.clipboard.writeText(copied);
      setCopied(true);
      announce(`Copied ${what}.`);
    } catch {
      prompt(`Your browser did not allow copying ${what}. Copy it here:`, copied);
    }
  };
  return (
    <button type="button" onClick={copy} onBlur={() => setCopied(false)}>
      {isCopied ? '✓ Copied' : name}
    </button>
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
        announce('The digest was deleted.');
        onClose(true);
      }}
      onClose={() => onClose(false)}
    />
  );
}
