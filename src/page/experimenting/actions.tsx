import { useEffect, useRef, useState } from 'preact/hooks';
import type { Experiment } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { Problem } from '../parts/problem.tsx';
import { useService } from '../service.tsx';

interface ActionsProps {
  readonly experiment: Experiment;
  /** What is shown is to be read again. */
  readonly changed: () => void;
}

type Doing = 'start' | 'stop' | 'edit';

/** Starts, stops and words an experiment; each asks before. */
export function Actions({ experiment, changed }: ActionsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { status } = experiment;
  const row = useRef<HTMLDivElement>(null);
  const before = useRef(status);
  useEffect(() => {
    // The button that was pressed is gone with the state that it was for.
    if (before.current !== status && document.activeElement === document.body) row.current?.focus();
    before.current = status;
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
        <Asked
          key={doing}
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

interface AskedProps {
  readonly doing: Doing;
  readonly experiment: Experiment;
  readonly close: () => void;
  readonly done: () => void;
}

const WORDS = {
  start: {
    title: 'Start the experiment?',
    text: 'Readers are assigned from now on. To change variants, shares or metrics later, you need a new version, which assigns readers again.',
    yes: 'Start',
    told: 'The experiment is running',
  },
  stop: {
    title: 'Stop the experiment?',
    text: 'No more readers are assigned, and you cannot start it again. Outcomes up to now still count if they are reported later.',
    yes: 'Stop',
    told: 'The experiment was stopped',
  },
  edit: { title: 'Edit hypothesis', text: '', yes: 'Save', told: 'The hypothesis was saved' },
} as const;

/** A box before the page, which keeps the keyboard until it is answered. */
function Asked({ doing, experiment, close, done }: AskedProps) {
  const { client } = useService();
  const announce = useAnnounce();
  const box = useRef<HTMLDialogElement>(null);
  const [hypothesis, setHypothesis] = useState(experiment.hypothesis);
  const [failure, setFailure] = useState<unknown>(null);
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    const shown = box.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const { title, text, yes, told } = WORDS[doing];
  const send = async (): Promise<void> => {
    if (isSent) return;
    setSent(true);
    try {
      const { key } = experiment;
      if (doing === 'edit') await client.experiments.update(key, { hypothesis });
      else await client.experiments[doing](key);
      announce(told);
      done();
    } catch (problem) {
      setFailure(problem);
      setSent(false);
    }
  };
  return (
    <dialog
      ref={box}
      class="exp-dialog"
      aria-labelledby="exp-dialog"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2 id="exp-dialog">{title}</h2>
        {text !== '' && <p>{text}</p>}
        {doing === 'edit' && (
          <label>
            Hypothesis
            <textarea
              rows={4}
              required
              maxLength={2000}
              value={hypothesis}
              onInput={({ currentTarget }) => setHypothesis(currentTarget.value)}
            />
          </label>
        )}
        {failure !== null && <Problem failure={failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isSent}>
            {yes}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
