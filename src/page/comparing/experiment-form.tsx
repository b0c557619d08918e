import { useEffect, useRef, useState } from 'preact/hooks';
import { PermissionError } from '../../client/index.ts';
import { Problem } from '../parts/problem.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import {
  experimentInput,
  experimentOfPair,
  MARGIN,
  type MetricRole,
  MINIMUM_EFFECT,
  type PairChoices,
  type PairDraft,
} from './experiment-of-pair.ts';
import { leavesOf, sameValue } from './option-leaves.ts';
import { describeOptions } from './words-of-options.ts';

interface FormProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** Makes an experiment of two digests: readers get one way or the other, and what they do tells. */
export function ExperimentForm({ left, right }: FormProps) {
  const draft = experimentOfPair(left, right);
  const hasOtherIntent = !sameValue(left.request.intent ?? null, right.request.intent ?? null);
  const [isOpen, open] = useState(false);
  if (draft === null) {
    return (
      <p class="muted">
        This pair cannot become an experiment: both digests have the same options
        {hasOtherIntent ? ', and questions are not options of an experiment' : ''}.
      </p>
    );
  }
  if (!isOpen) {
    return (
      <p class="actions">
        <button type="button" class="primary" onClick={() => open(true)}>
          Create an experiment from this pair
        </button>
      </p>
    );
  }
  return <Fields draft={draft} hasOtherIntent={hasOtherIntent} close={() => open(false)} />;
}

interface FieldsProps {
  readonly draft: PairDraft;
  readonly hasOtherIntent: boolean;
  readonly close: () => void;
}

function Fields({ draft, hasOtherIntent, close }: FieldsProps) {
  const { client } = useService();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [choices, setChoices] = useState<PairChoices>({
    ...draft,
    share: 0.5,
    isCommonSet: false,
    roles: Object.fromEntries(draft.metrics.map(({ key, role }) => [key, role])),
    own: null,
  });
  const change = (part: Partial<PairChoices>): void => setChoices((before) => ({ ...before, ...part }));
  const [sending, setSending] = useState<{ readonly isSent: boolean; readonly failure: unknown }>({
    isSent: false,
    failure: null,
  });
  const input = experimentInput(draft, choices);
  const send = async (): Promise<void> => {
    if (sending.isSent) return;
    setSending({ isSent: true, failure: null });
    try {
      const { key } = await client.experiments.create(input);
      location.hash = hrefOf({ view: 'experiment', key });
    } catch (failure) {
      setSending({ isSent: false, failure });
    }
  };
  const common = leavesOf(draft.common);
  return (
    <form
      class="panel cmp-experiment"
      aria-labelledby="cmp-experiment"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h2 id="cmp-experiment" ref={heading} tabIndex={-1}>
        Experiment from this pair
      </h2>
      <p>
        Some readers get digests as on the left (the control), the others as on the right (the variant). The experiment
        is a draft until you start it.
      </p>
      {hasOtherIntent && (
        <p class="notice">The questions differ. They are not options of an experiment, so they are left out.</p>
      )}
      <div class="cmp-fields">
        <label>
          Key (part of the address; it cannot be changed later)
          <input
            required
            maxLength={100}
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
            title="Letters, digits, dots, hyphens and underscores, a letter or digit first"
            value={choices.key}
            onInput={({ currentTarget }) => change({ key: currentTarget.value })}
          />
        </label>
        <label>
          Readers who get the variant, in percent
          <input
            type="number"
            required
            min={1}
            max={99}
            value={Math.round(choices.share * 100)}
            onInput={({ currentTarget }) => {
              const percent = currentTarget.valueAsNumber;
              if (percent >= 1 && percent <= 99) change({ share: Math.round(percent) / 100 });
            }}
          />
        </label>
      </div>
      <label>
        Hypothesis
        <textarea
          rows={2}
          required
          maxLength={2000}
          value={choices.hypothesis}
          onInput={({ currentTarget }) => change({ hypothesis: currentTarget.value })}
        />
      </label>
      <h3>Variants</h3>
      <ScrollBox label="What each variant sets">
        <table class="cmp-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Share</th>
              <th scope="col">Options</th>
            </tr>
          </thead>
          <tbody>
            {input.variants.map(({ name, weight, options = {} }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{Math.round(weight * 100)}%</td>
                <td>{describeSet(options)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {common.length > 0 && (
        <label class="cmp-check">
          <input
            type="checkbox"
            checked={choices.isCommonSet}
            onChange={({ currentTarget }) => change({ isCommonSet: currentTarget.checked })}
          />{' '}
          Also set what both have in common ({describeSet(draft.common)}). Otherwise your app’s requests decide;
          requests that set an option of a variant are not counted.
        </label>
      )}
      <Metrics draft={draft} choices={choices} change={change} />
      {sending.failure !== null && (
        <>
          <Problem failure={sending.failure} />
          {sending.failure instanceof PermissionError && (
            <p>Your API key cannot create experiments. It needs the scope “experiments”.</p>
          )}
        </>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={sending.isSent || input.metrics.length === 0}>
          Create draft
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
      {input.metrics.length === 0 && <p class="muted">Select at least one goal.</p>}
    </form>
  );
}

interface MetricsProps {
  readonly draft: PairDraft;
  readonly choices: PairChoices;
  readonly change: (part: Partial<PairChoices>) => void;
}

function Metrics({ draft, choices, change }: MetricsProps) {
  const { own, roles } = choices;
  return (
    <>
      <h3>Metrics</h3>
      <p class="muted">
        Every digest records these. A goal decides who wins, from a change of {MINIMUM_EFFECT * 100}% up; a guardrail
        must not get worse by more than {MARGIN * 100}%.
      </p>
      <div class="cmp-fields">
        {draft.metrics.map(({ key, name, direction, doubt }) => (
          <label key={key}>
            {name} ({direction === 'increase' ? 'more' : 'less'} counts as better
            {doubt !== null && `; not comparable in this pair: ${doubt}`})
            <select
              value={roles[key]}
              onChange={({ currentTarget }) => change({ roles: { ...roles, [key]: roleOf(currentTarget.value) } })}
            >
              <option value="goal">Goal</option>
              <option value="guardrail">Guardrail</option>
              <option value="none">Record only</option>
            </select>
          </label>
        ))}
      </div>
      <label class="cmp-check">
        <input
          type="checkbox"
          checked={own !== null}
          onChange={({ currentTarget }) =>
            change({ own: currentTarget.checked ? { key: 'source-opened', direction: 'increase' } : null })
          }
        />{' '}
        Add a goal of your own: something that readers do or do not do, which your app reports
      </label>
      {own !== null && (
        <div class="cmp-fields">
          <label>
            Name of the outcome
            <input
              required
              maxLength={100}
              pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
              title="Letters, digits, dots, hyphens and underscores, a letter or digit first"
              value={own.key}
              onInput={({ currentTarget }) => change({ own: { ...own, key: currentTarget.value } })}
            />
          </label>
          <label>
            Better
            <select
              value={own.direction}
              onChange={({ currentTarget }) =>
                change({ own: { ...own, direction: currentTarget.value === 'decrease' ? 'decrease' : 'increase' } })
              }
            >
              <option value="increase">More readers</option>
              <option value="decrease">Fewer readers</option>
            </select>
          </label>
        </div>
      )}
    </>
  );
}

function roleOf(value: string): MetricRole {
  return value === 'goal' || value === 'guardrail' ? value : 'none';
}

function describeSet(options: object): string {
  return describeOptions(options) ?? 'nothing: the options of the request, or the defaults';
}
