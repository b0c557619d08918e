import { useState } from 'preact/hooks';
import { useService, useWorkspace } from '../context.tsx';
import { intentOf } from '../making/draft.ts';
import { Form, TextArea } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { type DigestOptions, describeOptions } from '../parts/options.ts';
import { OptionsForm } from '../parts/options-form.tsx';
import { Problem } from '../parts/problem.tsx';
import { count } from '../parts/words.ts';
import { type Intent, IntentFacts, problemOf, withProblem } from '../reading/intent.tsx';
import { loadDocuments, optionsOf, type StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';

interface Side {
  readonly intent: Intent;
  readonly options: DigestOptions;
}

/** Makes two digests of the documents at hand, or a second one beside a given one, and goes to their comparison. */
export function CompareForm({ given }: { readonly given: StoredDigest | null }) {
  const { client } = useService();
  const workspace = useWorkspace();
  const base: Side =
    given === null
      ? { intent: intentOf(workspace), options: workspace.options }
      : { intent: given.request.intent, options: optionsOf(given.request) };
  const [sides, setSides] = useState<readonly Side[]>(given === null ? [base, base] : [base]);
  const { isRunning, failure, run } = useTask();
  const titles = (given?.request.documents ?? workspace.documents).map(({ id, title }) => title ?? id);

  const make = async (signal: AbortSignal): Promise<void> => {
    const documents = given === null ? workspace.documents : await loadDocuments(client, given, signal);
    const made = await Promise.all(
      sides.map(({ intent, options }) =>
        client.digests.submit({ documents, ...options, ...(intent && { intent }) }, { signal }),
      ),
    );
    const [left, right] = given === null ? made : [given.digest, ...made];
    location.hash = hrefOf({ view: 'compare', left: left.id, right: right.id });
  };

  if (titles.length === 0) return <NoDocuments />;
  return (
    <Form onSubmit={() => void run(make)}>
      <p>
        {given === null
          ? 'Make two digests of the same documents in different ways: another question, another length, another selection.'
          : 'Make a second digest of the same documents in another way.'}
      </p>
      <p class="muted">
        {count(titles.length, 'document')}: {titles.slice(0, 3).join(', ')}
        {titles.length > 3 && ` and ${titles.length - 3} more`}.
      </p>
      <div class="cmp-columns">
        {given !== null && <GivenSide stored={given} />}
        {sides.map((side, place) => (
          <SideForm
            key={place}
            name={given === null && place === 0 ? 'Left' : 'Right'}
            side={side}
            onChange={(changed) => setSides(sides.with(place, changed))}
          />
        ))}
      </div>
      {failure !== null && <Problem failure={failure} />}
      <button type="submit" class="primary" aria-disabled={isRunning}>
        {isRunning ? 'Sending…' : given === null ? 'Make both' : 'Make it'}
      </button>
    </Form>
  );
}

function NoDocuments() {
  return (
    <div class="empty">
      <p>
        Make two digests of the same documents with different settings and see what changes. Add documents first, or
        open a digest and choose “Compare with other options”.
      </p>
      <a class="button" href={hrefOf({ view: 'make' })}>
        Add documents
      </a>
    </div>
  );
}

interface SideFormProps {
  readonly name: string;
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

function SideForm({ name, side, onChange }: SideFormProps) {
  return (
    <section class="panel" aria-labelledby={`cmp-${name}`}>
      <h2 id={`cmp-${name}`}>{name}</h2>
      <TextArea
        label="Question"
        rows={3}
        value={problemOf(side.intent)}
        onChange={(typed) => onChange({ ...side, intent: withProblem(side.intent, typed) })}
      />
      <IntentFacts intent={side.intent} />
      <OptionsForm
        label={`${name}: options`}
        isOpen
        value={side.options}
        onChange={(options) => onChange({ ...side, options })}
      />
    </section>
  );
}

function GivenSide({ stored: { digest, request } }: { readonly stored: StoredDigest }) {
  return (
    <section class="panel" aria-labelledby="cmp-given">
      <h2 id="cmp-given">Left: this digest</h2>
      <p>{problemOf(request.intent) || 'No question.'}</p>
      <IntentFacts intent={request.intent} />
      <p class="muted">{describeOptions(optionsOf(request)) ?? 'All options are the defaults.'}</p>
      <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read the digest</a>
    </section>
  );
}
