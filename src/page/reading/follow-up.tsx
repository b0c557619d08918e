import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DigestInput } from '../../client/index.ts';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { useWorkspace } from '../workspace.tsx';
import { askedOf, followUpIntent } from './intent.ts';
import { loadDocuments } from './load-documents.ts';
import { useReading } from './reading.ts';
import { optionsOf } from './stored-digest.ts';
import { suggestionsFor } from './suggestions.ts';

/** Asks the same documents something else, in the same way. The service has read and encoded them already. */
export function FollowUp() {
  const { digest, request } = useReading();
  const { ask, state } = useFollowUp();
  const [question, setQuestion] = useState('');
  const suggested = useMemo(() => suggestionsFor(digest, askedOf(request.intent).heading), [digest, request]);
  const isAsking = state.is === 'asking';
  return (
    <section class="read-follow" aria-labelledby="read-follow">
      <h2 id="read-follow">Ask something else about these documents</h2>
      <form
        class="read-ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim() !== '') ask(question.trim());
        }}
      >
        <input
          type="text"
          aria-labelledby="read-follow"
          placeholder="Your next question"
          maxLength={10_000}
          value={question}
          readOnly={isAsking}
          onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
        />
        <button type="submit" class="primary" aria-disabled={isAsking}>
          {isAsking ? 'Asking…' : 'Ask'}
        </button>
      </form>
      {suggested.length > 0 && (
        <ul class="read-suggested" aria-label="Suggested questions">
          {suggested.map((each) => (
            <li key={each}>
              <button type="button" aria-disabled={isAsking} onClick={() => ask(each)}>
                {each}
              </button>
            </li>
          ))}
        </ul>
      )}
      {state.is === 'failed' && <Problem failure={state.failure} />}
    </section>
  );
}

type State = { readonly is: 'ready' | 'asking' } | { readonly is: 'failed'; readonly failure: unknown };

function useFollowUp() {
  const { digest, request } = useReading();
  const { client } = useService();
  const { documents: atHand } = useWorkspace();
  const [state, setState] = useState<State>({ is: 'ready' });
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const send = async (problem: string): Promise<void> => {
    const control = new AbortController();
    const { signal } = control;
    leaving.current = control;
    setState({ is: 'asking' });
    try {
      const documents = await loadDocuments(client, { digest, request }, atHand, { signal });
      const input: DigestInput = { documents, intent: followUpIntent(request.intent, problem), ...optionsOf(request) };
      const { id } = await client.digests.submit(input, { signal });
      location.hash = hrefOf({ view: 'digest', id, face: 'read' });
    } catch (failure) {
      // Who is on the way elsewhere is not called back.
      if (!signal.aborted) setState({ is: 'failed', failure });
    }
  };
  const ask = (problem: string): void => {
    if (state.is !== 'asking') void send(problem);
  };
  return { ask, state };
}
