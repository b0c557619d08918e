import { useState } from 'preact/hooks';
import { type Client, type Exported, toHtml, toMarkdown, toText } from '../../client/index.ts';
import { useService, useWorkspace } from '../context.tsx';
import { idFor } from '../making/documents.ts';
import { announce, download } from '../parts/browser.ts';
import { useTask } from '../parts/loading.tsx';
import { Menu } from '../parts/overlays.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { headingOf, problemOf, readerOf, sinceIntent } from './intent.tsx';
import { documentsOf, useReading } from './reading.ts';
import { optionsOf, type StoredDigest } from './stored-digest.ts';

const EXPORTS: readonly {
  readonly name: string;
  readonly ending: string;
  readonly type?: string;
  readonly write: (exported: Exported) => string | Promise<Blob>;
}[] = [
  { name: 'Word', ending: 'docx', write: async (exported) => (await import('./word.ts')).toWord(exported) },
  { name: 'Markdown', ending: 'md', type: 'text/markdown', write: toMarkdown },
  { name: 'HTML', ending: 'html', type: 'text/html', write: toHtml },
  { name: 'JSON', ending: 'json', type: 'application/json', write: ({ digest }) => JSON.stringify(digest, null, 2) },
];

export function exportedOf(stored: StoredDigest): Exported {
  return { heading: headingOf(stored.request.intent), digest: stored.digest, documentOf: documentsOf(stored) };
}

export function DigestActions() {
  const { digest, request, thread } = useReading();
  const { id } = digest;
  const exported = exportedOf({ digest, request });
  const { client } = useService();
  const workspace = useWorkspace();
  const { isRunning, failure, run } = useTask();
  // Without a collection, the reader adds the new documents first.
  const askSince = async (signal: AbortSignal): Promise<void> => {
    const { collection, intent } = request;
    const options = optionsOf(request);
    if (collection === null) {
      workspace.change({ intent: problemOf(intent), options, reader: { ...readerOf(intent), background: id } });
      location.hash = hrefOf({ view: 'make' });
      return;
    }
    const since = await client.digests.submit({ collection, intent: sinceIntent(intent, id), ...options }, { signal });
    location.hash = hrefOf({ view: 'digest', id: since.id, face: 'read', thread: [...thread, since.id] });
  };
  return (
    <div class="actions">
      <CopyButton name="Copy" what="the answer with its citations" text={() => toText(exported)} />
      <CopyButton
        name="Copy link"
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
                close();
                void run(async () => {
                  download(`${idFor(exported.heading, new Set())}.${ending}`, await write(exported), type);
                  announce(`The digest was downloaded as ${name}.`);
                });
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
            <a href={hrefOf({ view: 'digest', id, face: 'points' })}>All key points</a>
            <a href={hrefOf({ view: 'compare', left: id, right: null })}>Compare with other options</a>
            <button
              type="button"
              onClick={() => {
                close();
                void run(async () => {
                  if (await deleteDigest(client, id)) location.hash = hrefOf({ view: 'digests' });
                });
              }}
            >
              Delete…
            </button>
          </>
        )}
      </Menu>
      {problemOf(request.intent) !== '' && (
        <button type="button" aria-disabled={isRunning} onClick={() => void run(askSince)}>
          What is new since this?
        </button>
      )}
      {failure !== null && <Problem failure={failure} />}
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

/** Deletes a digest once the reader has confirmed it. @returns whether it was deleted */
export async function deleteDigest(client: Client, id: string): Promise<boolean> {
  if (!confirm('Delete this digest? Its link stops working for everyone. This cannot be undone.')) return false;
  await client.digests.delete(id);
  announce('The digest was deleted.');
  return true;
}
