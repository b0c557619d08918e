import { render } from 'preact';
import { useState } from 'preact/hooks';
import {
  type AnnotatedSource,
  type Decided,
  MAX_NAME_LENGTH,
  type NewLabel,
  type Refusal,
  type Session,
} from '../../contract/index.ts';
import { Form, TextField } from '../parts/fields.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { ErrorBoundary } from '../parts/problem.tsx';
import { Annotating } from './annotating.tsx';
import type { LabelService } from './session.ts';
import '../style/base.css';
import '../style/controls.css';
import '../reading/reading.css';
import './annotate.css';

/** @param token the part of the printed address after # */
function labelService(token: string): LabelService {
  const documents = new Map<number, Promise<AnnotatedSource>>();

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

  async function read<Form>(path: string): Promise<Form> {
    return (await (await ask(path)).json()) as Form; // the service has the same contract
  }

  return {
    session: () => read<Session>('/api/session'),
    labelsOf: (annotator) => read<Decided[]>(`/api/labels?annotator=${encodeURIComponent(annotator)}`),
    document(place) {
      const found = documents.get(place) ?? read<AnnotatedSource>(`/api/documents/${place}`);
      documents.set(place, found);
      // Failures are not cached.
      found.catch(() => documents.delete(place));
      return found;
    },
    async save(label) {
      await ask('/api/labels', label);
    },
  };
}

/** The name of the annotator is kept until the tab is closed. */
const STORED = 'tessera-annotator';

function AnnotateApp({ service }: { readonly service: LabelService }) {
  const loading = useLoaded('session', () => service.session());
  const [state] = loading;
  if (state.state === 'there') return <Annotated service={service} session={state.value} />;
  return (
    <main>
      <h1>Annotate</h1>
      <Await of={loading} what="the items">
        {() => null}
      </Await>
    </main>
  );
}

interface AnnotatedProps {
  readonly service: LabelService;
  readonly session: Session;
}

function Annotated({ service, session }: AnnotatedProps) {
  const [name, setName] = useState(() => session.annotator ?? sessionStorage.getItem(STORED) ?? '');
  const give = (given: string) => {
    sessionStorage.setItem(STORED, given);
    setName(given);
  };
  if (name === '') return <NameForm set={session.set} give={give} />;
  const leave = session.annotator === null ? () => give('') : null;
  return <Decisions key={name} service={service} session={session} name={name} leave={leave} />;
}

interface DecisionsProps extends AnnotatedProps {
  readonly name: string;
  readonly leave: (() => void) | null;
}

function Decisions({ service, session, name, leave }: DecisionsProps) {
  const loading = useLoaded(name, () => service.labelsOf(name));
  const [state] = loading;
  if (state.state === 'there') {
    return <Annotating service={service} session={session} name={name} known={state.value} leave={leave} />;
  }
  return (
    <main>
      <h1>{session.set}</h1>
      <Await of={loading} what="what you decided before">
        {() => null}
      </Await>
    </main>
  );
}

interface NameProps {
  readonly set: string;
  readonly give: (name: string) => void;
}

function NameForm({ set, give }: NameProps) {
  const [name, setName] = useState('');
  const trimmed = name.trim();
  return (
    <main class="ann-name">
      <h1>{set}</h1>
      <Form
        class="panel"
        onSubmit={() => {
          if (trimmed !== '') give(trimmed);
        }}
      >
        <TextField
          label="Your name"
          hint="It stands beside every decision. Give the same name again to go on where you stopped."
          autocomplete="name"
          required
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={setName}
        />
        <button type="submit" class="primary">
          Start
        </button>
      </Form>
    </main>
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
