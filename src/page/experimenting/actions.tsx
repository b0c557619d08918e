import { useEffect, useRef, useState } from 'preact/hooks';
import type { Experiment } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { TextArea } from '../parts/fields.tsx';
import { Confirm } from '../parts/overlays.tsx';

interface ActionsProps {
  readonly experiment: Experiment;
  readonly changed: () => void;
}

type Doing = 'start' | 'stop' | 'edit';

export function Actions({ experiment, changed }: ActionsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { client } = useService();
  const [hypothesis, setHypothesis] = useState(experiment.hypothesis);
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
        <Confirm
          {...QUESTIONS[doing]}
          act={() =>
            doing === 'edit'
              ? client.experiments.update(experiment.key, { hypothesis })
              : client.experiments[doing](experiment.key)
          }
          onDone={() => {
            announce(QUESTIONS[doing].done);
            setDoing(null);
            changed();
          }}
          onClose={() => setDoing(null)}
        >
          {doing === 'edit' && (
            <TextArea
              label="Hypothesis"
              rows={4}
              required
              maxLength={2000}
              value={hypothesis}
              onChange={setHypothesis}
            />
          )}
        </Confirm>
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
