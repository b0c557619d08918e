import { useId } from 'preact/hooks';
import { OptionsForm } from '../parts/options-form.tsx';
import type { Side } from './compare-metrics.ts';
import { restOf, textOf, withText } from './intent-text.ts';
import { RunStatus } from './run-status.tsx';
import type { SideDraft } from './side-draft.ts';
import type { Running } from './use-run.ts';

interface SideFormProps {
  readonly side: Side;
  readonly draft: SideDraft;
  readonly onChange: (draft: SideDraft) => void;
  readonly isLocked: boolean;
  readonly running: Running;
  readonly again: () => void;
}

/** How one side is to be made, and how far that has come. */
export function SideForm({ side, draft, onChange, isLocked, running, again }: SideFormProps) {
  const id = useId();
  const name = side === 'left' ? 'Left' : 'Right';
  const rest = restOf(draft.intent);
  return (
    <section class="cmp-side panel" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <RunStatus run={running.run} again={again} />
      <fieldset class="cmp-plain" disabled={isLocked}>
        <legend class="unseen">How the {side} one is made</legend>
        <label>
          Intent: what the reader wants to know
          <textarea
            rows={3}
            value={textOf(draft.intent)}
            onInput={({ currentTarget }) => onChange({ ...draft, intent: withText(draft.intent, currentTarget.value) })}
          />
        </label>
        {rest.length > 0 && (
          <dl class="cmp-rest">
            {rest.map(({ name: what, text }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        )}
        <OptionsForm
          legend={`${name}: options`}
          value={draft.options}
          onChange={(options) => onChange({ ...draft, options })}
        />
      </fieldset>
    </section>
  );
}
