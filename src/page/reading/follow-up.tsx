import { useState } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Form } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { followUpIntent } from './intent.tsx';
import { useReading } from './reading.ts';
import { loadDocuments, optionsOf } from './stored-digest.ts';

/** Asks another question about the same documents, with the same options. */
export function FollowUp() {
  const { digest, request, thread } = useReading();
  const { client } = useService();
  const [question, setQuestion] = useState('');
  const { isRunning, failure, run } = useTask();
  const ask = async (signal: AbortSignal): Promise<void> => {
    const documents = await loadDocuments(client, { digest, request }, signal);
    const intent = followUpIntent(request.intent, question.trim());
    const { id } = await client.digests.submit({ documents, intent, ...optionsOf(request) }, { signal });
    location.hash = hrefOf({ view: 'digest', id, face: 'read', thread: [...thread, id] });
  };
  return (
    <section aria-labelledby="read-follow">
      <h2 id="read-follow">Ask something else about these documents</h2>
      <Form class="read-ask" onSubmit={() => void (question.trim() !== '' && run(ask))}>
        <input
          type="text"
          aria-labelledby="read-follow"
          placeholder="Your next question"
          maxLength={10_000}
          value={question}
          readOnly={isRunning}
          onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
        />
        <button type="submit" class="primary" aria-disabled={isRunning}>
          {isRunning ? 'Asking…' : 'Ask'}
        </button>
      </Form>
      {failure !== null && <Problem failure={failure} />}
    </section>
  );
}
