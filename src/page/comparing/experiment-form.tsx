import { useEffect, useRef, useState } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Check, Form, NumberField, Select, TextArea, TextField } from '../parts/fields.tsx';
import { metricName } from '../parts/figures.ts';
import { useTask } from '../parts/loading.tsx';
import { describeOptions } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { percent } from '../parts/words.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import {
  directionOf,
  experimentInput,
  experimentOfPair,
  MARGIN,
  type MetricRole,
  MINIMUM_EFFECT,
  type PairDraft,
  ROLES,
} from './experiment-of-pair.ts';

interface FormProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

export function ExperimentForm({ left, right }: FormProps) {
  const draft = experimentOfPair(left, right);
  const [isOpen, open] = useState(false);
  if (draft === null) {
    return (
      <p class="muted">
        This pair cannot become an experiment: both digests have the same options, and questions are not options of an
        experiment.
      </p>
    );
  }
  if (isOpen) return <Fields draft={draft} close={() => open(false)} />;
  return (
    <p class="actions">
      <button type="button" class="primary" onClick={() => open(true)}>
        Create an experiment from this pair
      </button>
    </p>
  );
}

interface FieldsProps {
  readonly draft: PairDraft;
  readonly close: () => void;
}

const KEY = {
  required: true,
  maxLength: 100,
  pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*',
  title: 'Letters, digits, dots, hyphens and underscores, a letter or digit first',
};

function Fields({ draft: proposed, close }: FieldsProps) {
  const { client } = useService();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [draft, setDraft] = useState(proposed);
  const change = (part: Partial<PairDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const { isRunning, failure, run } = useTask();
  const input = experimentInput(draft);
  const send = async (): Promise<void> => {
    const created = await client.experiments.create(input);
    location.hash = hrefOf({ view: 'experiment', key: created.key });
  };
  return (
    <Form class="panel" aria-labelledby="cmp-experiment" onSubmit={() => void run(send)}>
      <h2 id="cmp-experiment" ref={heading} tabIndex={-1}>
        Experiment from this pair
      </h2>
      <p>
        Some readers get digests as on the left (the control), the others as on the right (the variant). Only options
        that differ are set; questions are not options. The experiment is a draft until you start it.
      </p>
      <div class="pair">
        <TextField
          {...KEY}
          label="Key (part of the address; it cannot be changed later)"
          value={draft.key}
          onChange={(key) => change({ key })}
        />
        <NumberField
          label="Readers who get the variant, in percent"
          value={Math.round(draft.share * 100)}
          range={[1, 99]}
          onChange={(chosen = 50) => change({ share: chosen / 100 })}
        />
      </div>
      <TextArea
        label="Hypothesis"
        rows={2}
        required
        maxLength={2000}
        value={draft.hypothesis}
        onChange={(hypothesis) => change({ hypothesis })}
      />
      <h3>Variants</h3>
      <Table
        label="What each variant sets"
        heads={['Name', 'Share', 'Options']}
        rows={input.variants.map(({ name, weight, options = {} }) => [
          name,
          percent(weight),
          describeOptions(options) ?? 'nothing: the options of the request, or the defaults',
        ])}
      />
      <Metrics draft={draft} change={change} />
      {failure !== null && <Problem failure={failure} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning || input.metrics.length === 0}>
          Create draft
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
        {input.metrics.length === 0 && <span class="muted">Select at least one goal.</span>}
      </div>
    </Form>
  );
}

interface MetricsProps {
  readonly draft: PairDraft;
  readonly change: (part: Partial<PairDraft>) => void;
}

function Metrics({ draft: { own, roles }, change }: MetricsProps) {
  return (
    <>
      <h3>Metrics</h3>
      <p class="muted">
        Every digest records these. A goal decides who wins, from a change of {percent(MINIMUM_EFFECT)} up; a guardrail
        must not get worse by more than {percent(MARGIN)}.
      </p>
      <div class="pair">
        {Object.keys(roles).map((key) => (
          <Select
            key={key}
            label={`${metricName(key)} (${directionOf(key) === 'increase' ? 'more' : 'less'} counts as better)`}
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
        <div class="pair">
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
