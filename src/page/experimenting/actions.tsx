import { useEffect, useRef, useState } from 'preact/hooks';
import type { Experiment } from '../../client/index.ts';
import { announce } from '../parts/browser.ts';
import { TextArea } from '../parts/fields.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { Problem } from '../parts/problem.tsx';
import { useService } from '../service.tsx';

interface ActionsProps {
  readonly experiment: Experiment;
  /** Called when the experiment has to be read again. */
  readonly changed: () => void;
}

type Doing = 'start' | 'stop' | 'edit';

/** Starts, stops and edits an experiment. */
export function Actions({ experiment, changed }: ActionsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { status } = experiment;
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button that had the focus goes with the status
  useEffect(() => {
    if (document.activeElement === document.body) row.current?.focus();
  }, [status]);
  return (
    <>
      <div class="actions" ref={row} tabIndex={-1}>
        {status === 'draft' && (
          <button type="button" class="primary" onClick={() => setDoing('start')}>
            Start…
          </button>
        )}
        {status === 'running' && (
          <button type="button" onClick={() => setDoing('stop')}>
            Stop…
          </button>
        )}
        <button type="button" onClick={() => setDoing('edit')}>
          Edit hypothesis…
        </button>
      </div>
      {doing !== null && (
        <Confirmation
          doing={doing}
          experiment={experiment}
          close={() => setDoing(null)}
          done={() => {
            setDoing(null);
            changed();
          }}
        />
      )}
    </>
  );
}

const QUESTIONS = {
  start: {
    title: 'Start the experiment?',
    text: 'Readers are assigned from now on. To change variants, shares or metrics later, you need a new version, which assigns readers again.',
    yes: 'Start',
    done: 'The experiment is running',
  },
  stop: {
    title: 'Stop the experiment?',
    text: 'No more readers are assigned, and you cannot start it again. Outcomes up to now still count if they are reported later.',
    yes: 'Stop',
    done: 'The experiment was stopped',
  },
  edit: { title: 'Edit hypothesis', text: '', yes: 'Save', done: 'The hypothesis was saved' },
} as const;

interface ConfirmationProps {
  readonly doing: Doing;
  readonly experiment: Experiment;
  readonly close: () => void;
  readonly done: () => void;
}

function Confirmation({ doing, experiment, close, done }: ConfirmationProps) {
  const { client } = useService();
  const [hypothesis, setHypothesis] = useState(experiment.hypothesis);
  const [failure, setFailure] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const question = QUESTIONS[doing];
  const send = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    try {
      const { key } = experiment;
      if (doing === 'edit') await client.experiments.update(key, { hypothesis });
      else await client.experiments[doing](key);
      announce(question.done);
      done();
    } catch (problem) {
      setFailure(problem);
      setSending(false);
    }
  };
  return (
    <Dialog label={question.title} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2>{question.title}</h2>
        <p>{question.text}</p>
        {doing === 'edit' && (
          <TextArea label="Hypothesis" rows={4} required maxLength={2000} value={hypothesis} onChange={setHypothesis} />
        )}
        {failure !== null && <Problem failure={failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isSending}>
            {question.yes}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
