import { useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';
import { Menu } from '../parts/menu.tsx';
import { hrefOf } from '../route.ts';
import { CopyButton } from './copy-button.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { documentsOf } from './digest-documents.ts';
import { askedOf } from './intent.ts';
import type { StoredDigest } from './stored-digest.ts';
import { toHtml } from './to-html.ts';
import { toMarkdown } from './to-markdown.ts';
import { toText } from './to-text.ts';

const EXPORTS: readonly {
  readonly name: string;
  readonly ending: string;
  readonly type: string;
  readonly write: (stored: StoredDigest) => string;
}[] = [
  {
    name: 'Markdown',
    ending: 'md',
    type: 'text/markdown',
    write: (stored) => toMarkdown(askedOf(stored.request.intent).heading, stored.digest, documentsOf(stored)),
  },
  {
    name: 'HTML',
    ending: 'html',
    type: 'text/html',
    write: (stored) => toHtml(askedOf(stored.request.intent).heading, stored.digest, documentsOf(stored)),
  },
  { name: 'JSON', ending: 'json', type: 'application/json', write: ({ digest }) => JSON.stringify(digest, null, 2) },
];

/** What can be done with a digest besides reading it. */
export function DigestActions(stored: StoredDigest) {
  const { digest, request } = stored;
  const { id } = digest;
  const [isDeleting, setDeleting] = useState(false);
  const announce = useAnnounce();
  const box = useRef<HTMLDivElement>(null);
  return (
    <div class="actions read-actions" ref={box}>
      <CopyButton
        name="Copy"
        what="the answer with its citations"
        text={() => toText(askedOf(request.intent).heading, digest, documentsOf(stored))}
      />
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
            else box.current?.querySelector<HTMLElement>('.menu-end > summary')?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Gives the reader a file. */
function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
