import { render } from 'preact';
import type { Decided, Refusal } from '../../contract/index.ts';
import { Await, useLoaded } from '../parts/loading.tsx';
import { ErrorBoundary } from '../parts/problem.tsx';
import { Annotating, type LabelService } from './annotating.tsx';
import '../style/base.css';
import '../style/controls.css';
import '../reading/reading.css';
import './annotate.css';

/** @param token the part of the printed address after # */
function labelService(token: string): LabelService {
  async function ask(path: string, sent?: Decided): Promise<Response> {
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
    document: (place) => read(`/api/documents/${place}`),
    save: (decided) => ask('/api/labels', decided),
  };
}

function AnnotateApp({ service }: { readonly service: LabelService }) {
  const loading = useLoaded('', service.session);
  const [state] = loading;
  if (state.state === 'there') return <Annotating service={service} session={state.value} />;
  return (
    <main>
      <h1>Annotate</h1>
      <Await of={loading} what="the items">
        {() => null}
      </Await>
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
