import { useState } from 'preact/hooks';
import type { Assignment } from '../../client/client.ts';
import { Problem } from '../parts/problem.tsx';
import { useService } from '../service.tsx';

/** Tells what a reader would get; nothing is noted. */
export function AssignmentBox({ experiment }: { readonly experiment: string }) {
  const { client } = useService();
  const [subject, setSubject] = useState('');
  const [answer, setAnswer] = useState<{
    readonly subject: string;
    readonly assignment?: Assignment;
    readonly failure?: unknown;
  } | null>(null);
  const ask = async (): Promise<void> => {
    const asked = subject;
    try {
      setAnswer({ subject: asked, assignment: await client.experiments.assignment(experiment, asked) });
    } catch (failure) {
      setAnswer({ subject: asked, failure });
    }
  };
  return (
    <section class="exp-part" aria-labelledby="exp-who">
      <h2 id="exp-who">Who gets what</h2>
      <form
        class="exp-ask"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          A reader, as your app names them (the subject)
          <input
            required
            maxLength={200}
            value={subject}
            placeholder="user-123"
            onInput={({ currentTarget }) => setSubject(currentTarget.value)}
          />
        </label>
        <button type="submit">What do they get?</button>
      </form>
      <div role="status">
        {answer?.assignment !== undefined && <p>{tellAssignment(answer.subject, answer.assignment)}</p>}
      </div>
      {answer?.failure !== undefined && <Problem failure={answer.failure} />}
      <p class="muted">This notes nothing: looking somebody up does not make them take part.</p>
    </section>
  );
}

/** What a reader gets, and why where it is nothing. */
function tellAssignment(subject: string, { variant, reason }: Assignment): string {
  if (variant !== null) return `“${subject}” gets “${variant}”.`;
  const why: Readonly<Record<Assignment['reason'], string>> = {
    assigned: 'there is no variant',
    traffic: 'they are not in the share of readers that takes part',
    layer: 'they are in another part of the layer',
    draft: 'the experiment has not started',
    stopped: 'the experiment has ended',
  };
  return `“${subject}” takes no part: ${why[reason]}.`;
}
