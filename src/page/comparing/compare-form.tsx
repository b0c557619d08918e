import { useState } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Form, TextArea } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { describeOptions } from '../parts/options.ts';
import { OptionsForm } from '../parts/options-form.tsx';
import { Problem } from '../parts/problem.tsx';
import { count } from '../parts/words.ts';
import { type Intent, IntentFacts, problemOf, withProblem } from '../reading/intent.tsx';
import { loadDocuments, optionsOf, type StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';

/** Makes a second digest of the same documents, and goes to the comparison with the first. */
export function CompareForm({ digest, request }: StoredDigest) {
  const { client } = useService();
  const [intent, setIntent] = useState<Intent>(request.intent);
  const [options, setOptions] = useState(() => optionsOf(request));
  const { isRunning, failure, run } = useTask();
  const titles = request.documents.map(({ id, title }) => title ?? id);

  const make = async (signal: AbortSignal): Promise<void> => {
    const documents = await loadDocuments(client, { digest, request }, signal);
    const made = await client.digests.submit({ documents, ...options, ...(intent && { intent }) }, { signal });
    location.hash = hrefOf({ view: 'compare', left: digest.id, right: made.id });
  };

  return (
    <Form onSubmit={() => void run(make)}>
      <p>
        Make a second digest of the same documents in another way: another question, another length, another selection.
      </p>
      <p class="muted">
        {count(titles.length, 'document')}: {titles.slice(0, 3).join(', ')}
        {titles.length > 3 && ` and ${titles.length - 3} more`}.
      </p>
      <div class="cmp-columns">
        <section class="panel" aria-labelledby="cmp-given">
          <h2 id="cmp-given">Left: this digest</h2>
          <p>{problemOf(request.intent) || 'No question.'}</p>
          <IntentFacts intent={request.intent} />
          <p class="muted">{describeOptions(optionsOf(request)) ?? 'All options are the defaults.'}</p>
          <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read the digest</a>
        </section>
        <section class="panel" aria-labelledby="cmp-other">
          <h2 id="cmp-other">Right</h2>
          <TextArea
            label="Question"
            rows={3}
            value={problemOf(intent)}
            onChange={(typed) => setIntent(withProblem(intent, typed))}
          />
          <IntentFacts intent={intent} />
          <OptionsForm label="Right: options" isOpen value={options} onChange={setOptions} />
        </section>
      </div>
      {failure !== null && <Problem failure={failure} />}
      <button type="submit" class="primary" aria-disabled={isRunning}>
        {isRunning ? 'Sending…' : 'Make it'}
      </button>
    </Form>
  );
}
