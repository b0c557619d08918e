import { useEffect, useRef, useState } from 'preact/hooks';
import { useService } from '../context.tsx';
import { Form, NumberField, TextArea, TextField } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { describeOptions } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { percent } from '../parts/words.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { experimentInput, experimentOfPair, type PairDraft } from './experiment-of-pair.ts';

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
      <p class="muted">
        Every digest records its metrics. Documents covered decides who wins, from a change of 5% up; relevance and time
        must not get worse by more than 10%. Other metrics, and goals that your app reports, are set by the API while it
        is a draft.
      </p>
      {failure !== null && <Problem failure={failure} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning}>
          Create draft
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </Form>
  );
}
