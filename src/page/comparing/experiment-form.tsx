import { useEffect, useRef, useState } from 'preact/hooks';
import { PermissionError } from '../../client/index.ts';
import { describeOptions, sameValue } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
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
  ROLES,
} from './experiment-of-pair.ts';

interface FormProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** Creates an experiment from two digests: some readers get one way, the others the other. */
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

/** The characters of keys and names of metrics. */
const KEY = {
  required: true,
  maxLength: 100,
  pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*',
  title: 'Letters, digits, dots, hyphens and underscores, a letter or digit first',
};

function Fields({ draft, hasOtherIntent, close }: FieldsProps) {
  const { client } = useService();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { key, hypothesis } = draft;
  const [choices, setChoices] = useState<PairChoices>({
    key,
    hypothesis,
    share: 0.5,
    isCommonSet: false,
    roles: Object.fromEntries(draft.metrics.map((metric) => [metric.key, metric.role])),
    own: null,
  });
  const change = (part: Partial<PairChoices>): void => setChoices((before) => ({ ...before, ...part }));
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const input = experimentInput(draft, choices);
  const send = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    try {
      const created = await client.experiments.create(input);
      location.hash = hrefOf({ view: 'experiment', key: created.key });
    } catch (problem) {
      setFailure(problem);
      setSending(false);
    }
  };
  const common = describeOptions(draft.common);
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
          <input {...KEY} value={choices.key} onInput={({ currentTarget }) => change({ key: currentTarget.value })} />
        </label>
        <label>
          Readers who get the variant, in percent
          <input
            type="number"
            required
            min={1}
            max={99}
            value={Math.round(choices.share * 100)}
            onChange={({ currentTarget }) => change({ share: currentTarget.valueAsNumber / 100 })}
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
      <Table
        label="What each variant sets"
        heads={['Name', 'Share', 'Options']}
        rows={input.variants.map(({ name, weight, options = {} }) => [
          name,
          `${Math.round(weight * 100)}%`,
          describeOptions(options) ?? 'nothing: the options of the request, or the defaults',
        ])}
      />
      {common !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={choices.isCommonSet}
            onChange={({ currentTarget }) => change({ isCommonSet: currentTarget.checked })}
          />{' '}
          Also set what both have in common ({common}). Otherwise your app’s requests decide; requests that set an
          option of a variant are not counted.
        </label>
      )}
      <Metrics draft={draft} choices={choices} change={change} />
      {failure !== null && <Problem failure={failure} />}
      {failure instanceof PermissionError && (
        <p>Your API key cannot create experiments. It needs the scope “experiments”.</p>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isSending || input.metrics.length === 0}>
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

function Metrics({ draft, choices: { own, roles }, change }: MetricsProps) {
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
              onChange={({ currentTarget }) =>
                // The options are the roles.
                change({ roles: { ...roles, [key]: currentTarget.value as MetricRole } })
              }
            >
              {Object.entries(ROLES).map(([role, title]) => (
                <option key={role} value={role}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <label class="check">
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
              {...KEY}
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
