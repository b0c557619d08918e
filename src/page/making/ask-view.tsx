import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type SourceDocument, TesseraClientError } from '../../client/index.ts';
import { useService, useWorkspace } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Form, TextArea, TextField } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { OptionsForm } from '../parts/options-form.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { DocumentList } from './document-list.tsx';
import { pastedDocument, withDocument } from './documents.ts';
import { DocumentsField } from './documents-field.tsx';
import { earlierOf, type Reader, requestOf, withNames } from './draft.ts';
import './ask.css';

export function AskView() {
  const { client } = useService();
  const { documents, intent, options, reader, pasted, change } = useWorkspace();
  const { isRunning, failure, run, cancel } = useTask();
  const problems = useRef<HTMLDivElement>(null);
  const earlier = earlierOf(reader);
  const hasPasted = pasted.trim() !== '';
  useLeaveQuestion(hasPasted || documents.length > 0);
  useEffect(() => {
    if (failure !== null) problems.current?.focus();
  }, [failure]);

  const make = async (signal: AbortSignal): Promise<void> => {
    const withPasted = (list: readonly SourceDocument[]) =>
      hasPasted ? withDocument(list, pastedDocument(pasted)) : list;
    change((before) => ({ documents: withPasted(before.documents), pasted: '' }));
    const draft = { documents: withPasted(documents), intent, options, reader };
    const { id } = await client.digests.submit(requestOf(draft), { signal });
    location.hash = hrefOf({ view: 'digest', id, face: 'read' });
  };
  return (
    <div class="ask">
      <h1>Ask your documents</h1>
      <p>
        Get a short answer in which every sentence is cited to an exact quote. <Example />
      </p>
      <Form class="ask-form" aria-label="Ask" onSubmit={() => void run(make)}>
        <label>
          <strong>Question</strong> <span class="muted">(optional)</span>
          <textarea
            class="ask-question"
            rows={2}
            maxLength={10_000}
            value={intent}
            placeholder="What do you want to know?"
            onInput={({ currentTarget }) => change({ intent: currentTarget.value })}
            onKeyDown={(event) => {
              // Enter asks, as in a search.
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        {earlier !== undefined && (
          <p class="notice">
            Only what is new since{' '}
            <a href={hrefOf({ view: 'digest', id: earlier.digest, face: 'read' })}>an earlier digest</a> will be told.
            Add the new documents.{' '}
            <button type="button" class="plain" onClick={() => change({ reader: { ...reader, background: '' } })}>
              Tell everything
            </button>
          </p>
        )}
        <DocumentsField />
        <div class="ask-end">
          <OptionsForm value={options} onChange={(changed) => change({ options: changed })} isOpen={false}>
            <ReaderFields reader={reader} onReader={(next) => change({ reader: next })} />
          </OptionsForm>
          <div class="ask-make">
            {isRunning && (
              <button type="button" onClick={cancel}>
                Cancel
              </button>
            )}
            <a class="button" href={hrefOf({ view: 'table' })}>
              Table
            </a>
            <button type="submit" class="primary" aria-disabled={isRunning}>
              {isRunning ? 'Sending…' : 'Make digest'}
            </button>
          </div>
        </div>
      </Form>
      <div ref={problems} tabIndex={-1} class="ask-problems">
        {failure !== null && <Problem failure={withNames(failure, documents)} />}
        {failure instanceof TesseraClientError && failure.status === 413 && (
          <p class="notice">The documents are too large in total. Remove some, or make several digests.</p>
        )}
      </div>
      <DocumentList />
    </div>
  );
}

interface ReaderFieldsProps {
  readonly reader: Reader;
  readonly onReader: (reader: Reader) => void;
}

function ReaderFields({ reader, onReader }: ReaderFieldsProps) {
  const field = (name: keyof Reader) => ({
    value: reader[name],
    onChange: (value: string) => onReader({ ...reader, [name]: value }),
  });
  return (
    <fieldset class="bare">
      <legend>About you</legend>
      <TextField
        label="Who asks, and why"
        placeholder="I advise a council that plans the same."
        {...field('userStory')}
      />
      <TextArea
        label="What you know already (or the id of an earlier digest, to see only what is new)"
        rows={2}
        {...field('background')}
      />
      <div class="pair">
        <TextField label="Documents published from" type="date" {...field('after')} />
        <TextField label="Documents published until" type="date" {...field('before')} />
      </div>
    </fieldset>
  );
}

function Example() {
  const { change } = useWorkspace();
  const add = async (): Promise<void> => {
    const { EXAMPLE } = await import('../example/example.ts');
    const isOther = ({ id }: SourceDocument) => EXAMPLE.documents.every((each) => each.id !== id);
    change(({ documents, intent }) => ({
      documents: [...documents.filter(isOther), ...EXAMPLE.documents],
      intent: intent.trim() === '' ? EXAMPLE.intent : intent,
    }));
    announce('The example was added: eight documents and a question.');
  };
  return (
    <button type="button" class="plain" onClick={() => void add()}>
      Try an example
    </button>
  );
}

/** Asks for confirmation before the page closes if documents would be lost. */
function useLeaveQuestion(hasDocuments: boolean): void {
  // In a layout effect, so that it covers the text that was just typed.
  useLayoutEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasDocuments) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasDocuments]);
}
