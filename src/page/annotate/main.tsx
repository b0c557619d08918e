import { render } from 'preact';
import { useState } from 'preact/hooks';
import { MAX_NAME_LENGTH, type NewLabel, type Refusal } from '../../contract/index.ts';
import { Form, TextField } from '../parts/fields.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { ErrorBoundary } from '../parts/problem.tsx';
import { Annotating, type LabelService } from './annotating.tsx';
import '../style/base.css';
import '../style/controls.css';
import '../reading/reading.css';
import './annotate.css';

/** @param token the part of the printed address after # */
function labelService(token: string): LabelService {
  async function ask(path: string, sent?: NewLabel): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(sent && { 'content-type': 'application/json' }) };
    const posted = sent && { method: 'POST', body: JSON.stringify(sent) };
    const answer = await fetch(path, { headers, ...posted }).catch(() => {
      throw new Error(
        'The command that serves this page does not answer. Start it again and open the address it prints.',
      );
    });
    if (answer.ok) return answer;
    const { detail } = (await answer.json()) as Refusal; // every refusal has this form
    throw new Error(detail);
  }
  // The service has the same contract.
  const read = async (path: string) => (await ask(path)).json();
  return {
    session: () => read('/api/session'),
    labelsOf: (annotator) => read(`/api/labels?annotator=${encodeURIComponent(annotator)}`),
    document: (place) => read(`/api/documents/${place}`),
    save: (label) => ask('/api/labels', label),
  };
}

/** The name of the annotator is kept until the tab is closed. */
const STORED = 'tessera-annotator';

function AnnotateApp({ service }: { readonly service: LabelService }) {
  const [given, give] = useState(() => sessionStorage.getItem(STORED) ?? '');
  const loading = useLoaded(given, async () => {
    const session = await service.session();
    const name = session.annotator ?? given;
    return { session, name, known: name === '' ? [] : await service.labelsOf(name) };
  });
  const [state] = loading;
  if (state.state === 'there' && state.value.name !== '') return <Annotating service={service} {...state.value} />;
  return (
    <main class="ann-name">
      <h1>{state.state === 'there' ? state.value.session.set : 'Annotate'}</h1>
      <Await of={loading} what="the items">
        {() => (
          <NameForm
            give={(name) => {
              sessionStorage.setItem(STORED, name);
              give(name);
            }}
          />
        )}
      </Await>
    </main>
  );
}

function NameForm({ give }: { readonly give: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <Form class="panel" onSubmit={() => give(name.trim())}>
      <TextField
        label="Your name"
        hint="It stands beside every decision. Give the same name again to go on where you stopped."
        autocomplete="name"
        required
        pattern=".*\S.*"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={setName}
      />
      <button type="submit" class="primary">
        Start
      </button>
    </Form>
  );
}

const place = document.getElementById('page');
if (place === null) throw new Error('the page has no place for its content');
render(
  <>
    <ErrorBoundary>
      <AnnotateApp service={labelService(location.hash.slice(1))} />
    </ErrorBoundary>
    <div role="status" class="unseen" id="told" />
  </>,
  place,
);
