import { useEffect, useRef, useState } from 'preact/hooks';
import { PermissionError } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Check, Form, NumberField, Select, TextArea, TextField } from '../parts/fields.tsx';
import { describeOptions, sameValue } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
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
    <Form class="panel cmp-experiment" aria-labelledby="cmp-experiment" onSubmit={() => void send()}>
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
        <TextField
          {...KEY}
          label="Key (part of the address; it cannot be changed later)"
          value={choices.key}
          onChange={(chosen) => change({ key: chosen })}
        />
        <NumberField
          label="Readers who get the variant, in percent"
          value={Math.round(choices.share * 100)}
          range={[1, 99]}
          onChange={(chosen = 50) => change({ share: chosen / 100 })}
        />
      </div>
      <TextArea
        label="Hypothesis"
        rows={2}
        required
        maxLength={2000}
        value={choices.hypothesis}
        onChange={(typed) => change({ hypothesis: typed })}
      />
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
        <Check
          label={`Also set what both have in common (${common}). Otherwise your app’s requests decide; requests that set an option of a variant are not counted.`}
          isChecked={choices.isCommonSet}
          onChange={(isCommonSet) => change({ isCommonSet })}
        />
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
    </Form>
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
          <Select
            key={key}
            label={`${name} (${direction === 'increase' ? 'more' : 'less'} counts as better${
              doubt === null ? '' : `; not comparable in this pair: ${doubt}`
            })`}
            value={roles[key]}
            choices={Object.entries(ROLES)}
            // The choices are the roles.
            onChoose={(role) => change({ roles: { ...roles, [key]: role as MetricRole } })}
          />
        ))}
      </div>
      <Check
        label="Add a goal of your own: something that readers do or do not do, which your app reports"
        isChecked={own !== null}
        onChange={(isOwn) => change({ own: isOwn ? { key: 'source-opened', direction: 'increase' } : null })}
      />
      {own !== null && (
        <div class="cmp-fields">
          <TextField
            {...KEY}
            label="Name of the outcome"
            value={own.key}
            onChange={(key) => change({ own: { ...own, key } })}
          />
          <Select
            label="Better"
            value={own.direction}
            choices={[
              ['increase', 'More readers'],
              ['decrease', 'Fewer readers'],
            ]}
            onChoose={(chosen) =>
              change({ own: { ...own, direction: chosen === 'decrease' ? 'decrease' : 'increase' } })
            }
          />
        </div>
      )}
    </>
  );
}
