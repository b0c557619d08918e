import { useState } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';
import { hrefOf } from '../route.ts';
import { CopyButton } from './copy-button.tsx';
import { DeleteDigest } from './delete-digest.tsx';
import { documentsOf } from './digest-documents.ts';
import { downloadJson } from './download.ts';
import { askedOf } from './intent.ts';
import type { StoredDigest } from './stored-digest.ts';
import { toMarkdown } from './to-markdown.ts';

/** What can be done with a digest besides reading it. */
export function DigestActions(stored: StoredDigest) {
  const { digest, request } = stored;
  const [isExported, setExported] = useState(false);
  const announce = useAnnounce();
  return (
    <div class="actions">
      <CopyButton
        name="Copy as Markdown"
        what="the digest as Markdown"
        text={() => toMarkdown(askedOf(request.intent).heading, digest, documentsOf(stored))}
      />
      <CopyButton
        name="Copy link"
        what="the link"
        text={() => location.origin + location.pathname + hrefOf({ view: 'digest', id: digest.id, face: 'read' })}
      />
      <button
        type="button"
        onClick={() => {
          downloadJson(`${digest.id}.json`, digest);
          setExported(true);
          announce('The digest was downloaded as JSON.');
        }}
      >
        {isExported ? '✓ Downloaded' : 'Export JSON'}
      </button>
      <a class="button" href={hrefOf({ view: 'compare', left: digest.id, right: null })}>
        Try another way
      </a>
      <DeleteDigest id={digest.id} />
    </div>
  );
}
