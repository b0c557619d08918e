import type { ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { counted, kindOf, nameOf, wordsOf } from './document-facts.ts';
import { LongList } from './long-list.tsx';
import type { Documents } from './use-documents.ts';

interface DocumentListProps {
  readonly documents: Documents;
  /** What is wrong with documents. */
  readonly troubles: ReadonlyMap<SourceDocument, string>;
}

/** The documents that were put together, each to be changed or taken out. */
export function DocumentList({ documents, troubles }: DocumentListProps) {
  const [edited, edit] = useState<SourceDocument | null>(null);
  const [before, setBefore] = useState<readonly SourceDocument[] | null>(null);
  const announce = useAnnounce();
  const box = useRef<HTMLDivElement>(null);
  const { list } = documents;

  const take = (left: readonly SourceDocument[], told: string): void => {
    setBefore(list);
    documents.put(left);
    announce(told);
    box.current?.focus();
  };
  const row = (document: SourceDocument): ComponentChild => (
    <DocumentRow
      document={document}
      trouble={troubles.get(document) ?? null}
      onEdit={() => edit(document)}
      onRemove={() =>
        take(
          list.filter(({ id }) => id !== document.id),
          `Removed ${nameOf(document)}.`,
        )
      }
    />
  );
  return (
    // Focus goes here from a row that is taken out.
    <div ref={box} tabIndex={-1} class="making-documents">
      {list.length > 0 && (
        <>
          <LongList label="Documents" items={list} keyOf={({ id }) => id} render={row} estimate={62} />
          <button type="button" class="plain" onClick={() => take([], 'Removed all documents.')}>
            Remove all
          </button>
        </>
      )}
      {before !== null && before.length > list.length && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            documents.put(before);
            setBefore(null);
            announce('Put back.');
            box.current?.focus();
          }}
        >
          Put back {counted(before.length - list.length, 'document')}
        </button>
      )}
      {edited !== null && (
        <DocumentEditor
          key={edited.id}
          document={edited}
          onSave={(fields) => documents.edit(edited, fields)}
          onClose={() => edit(null)}
        />
      )}
    </div>
  );
}

interface DocumentRowProps {
  readonly document: SourceDocument;
  readonly trouble: string | null;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function DocumentRow({ document, trouble, onEdit, onRemove }: DocumentRowProps) {
  const name = nameOf(document);
  return (
    <div class="making-document">
      <div class="making-document-facts">
        <p class="making-document-name">{name}</p>
        <p class="muted">
          {kindOf(document)} · {counted(wordsOf(document), 'word')}
          {document.publishedAt !== undefined && (
            <>
              {' · '}
              <time dateTime={document.publishedAt}>{document.publishedAt.slice(0, 10)}</time>
            </>
          )}
        </p>
        {trouble !== null && <p class="making-wrong">⚠ {trouble}</p>}
      </div>
      <button type="button" onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </button>
      <button type="button" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </button>
    </div>
  );
}
