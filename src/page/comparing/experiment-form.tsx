import { useState } from 'preact/hooks';
import type { ExperimentInput } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Form, NumberField, TextArea, TextField } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { describeOptions } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { experimentOfPair, type Pair } from './experiment-of-pair.ts';

export function ExperimentForm(pair: Pair) {
  const proposed = experimentOfPair(pair);
  if (proposed === null) {
    return (
      <p class="muted">
        This pair cannot become an experiment: both digests have the same options, and questions are not options of an
        experiment.
      </p>
    );
  }
  return (
    <details>
      <summary>Create an experiment from this pair</summary>
      <Fields proposed={proposed} />
    </details>
  );
}

const KEY = {
  required: true,
  maxLength: 100,
  pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*',
  title: 'Letters, digits, dots, hyphens and underscores, a letter or digit first',
};

function Fields({ proposed }: { readonly proposed: ExperimentInput }) {
  const { client } = useService();
  const [draft, setDraft] = useState(proposed);
  const change = (part: Partial<ExperimentInput>): void => setDraft((before) => ({ ...before, ...part }));
  const { isRunning, failure, run } = useTask();
  const [control, variant] = draft.variants;
  const send = async (): Promise<void> => {
    const created = await client.experiments.create(draft);
    location.hash = hrefOf({ view: 'experiment', key: created.key });
  };
  return (
    <Form class="panel" aria-label="Experiment from this pair" onSubmit={() => void run(send)}>
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
          value={Math.round(variant.weight * 100)}
          range={[1, 99]}
          onChange={(percents = 50) => {
            const weight = percents / 100;
            change({
              variants: [
                { ...control, weight: 1 - weight },
                { ...variant, weight },
              ],
            });
          }}
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
      <Table
        label="What each variant sets"
        heads={['Variant', 'Share', 'Options']}
        rows={draft.variants.map(({ name, weight, options = {} }) => [
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
      <button type="submit" class="primary" disabled={isRunning}>
        Create draft
      </button>
    </Form>
  );
}
