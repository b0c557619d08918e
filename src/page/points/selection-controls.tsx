import { Select, Slider } from '../parts/fields.tsx';
import { strategyIn, strategyOf } from '../parts/options.ts';
import { Notices, Problem } from '../parts/problem.tsx';
import { STRATEGY_GROUPS } from '../parts/strategies.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import type { Reselection } from './reselection.ts';

/** Strategies without a language model. */
const TRIED = STRATEGY_GROUPS.filter(({ strategies }) => strategies.every(({ asksModel }) => !asksModel));
const MAX = { weight: 0.95, size: 60, seed: 1e6 };

interface SelectionControlsProps {
  readonly own: StoredDigest['digest']['selection'];
  readonly picked: number;
  readonly trial: Reselection;
}

export function SelectionControls({ own, picked, trial }: SelectionControlsProps) {
  const { isChanged, selection, move, reset } = trial;
  const { size } = selection;
  const strategy = strategyIn(selection);
  const keyPoints = typeof size === 'object' && 'keyPoints' in size ? size.keyPoints : Math.max(1, picked);
  return (
    <section class="panel points-controls" aria-labelledby="points-controls-title">
      <h2 id="points-controls-title">Try other settings</h2>
      <p class="muted">
        Changes show in this list only. What the reader knows is not stored with a digest, so it does not count here.
      </p>
      {strategy.asksModel && (
        <p class="notice">
          A language model selected these key points; it is not asked again here. Choose another strategy to compare,
          such as “{strategyOf('dpp-map').title}”.
        </p>
      )}
      <Select
        label="Strategy"
        value={strategy.name}
        hint={strategy.line}
        choices={strategy.asksModel ? [[strategy.name, strategy.title]] : []}
        groups={TRIED.map(({ title, strategies }) => ({
          title,
          choices: strategies.map((each) => [each.name, each.title]),
        }))}
        onChoose={(chosen) => move({ 'selection.strategy': chosen })}
      />
      <fieldset class="bare" disabled={strategy.asksModel}>
        <legend class="unseen">Settings</legend>
        <Slider
          label="Relevance against variety"
          hint="Higher: relevance counts for more."
          range={[0, MAX.weight]}
          step={0.05}
          value={selection.relevance?.weight ?? own.relevance.weight}
          disabled={own.relevance.form !== 'exponential'}
          onChange={(weight) => move({ 'selection.relevance.weight': weight })}
        />
        <Slider
          label="How many key points"
          hint={`The digest selected ${picked}.`}
          range={[1, Math.max(MAX.size, keyPoints)]}
          step={1}
          value={keyPoints}
          disabled={!strategy.sizes.includes('keyPoints')}
          onChange={(chosen) => move({ 'selection.size': { keyPoints: chosen } })}
        />
      </fieldset>
      <div class="actions">
        {strategy.isSampled && (
          <button
            type="button"
            onClick={() => move({ 'selection.seed': ((selection.seed ?? own.seed) + 1) % MAX.seed })}
          >
            Draw again
          </button>
        )}
        <button type="button" disabled={!isChanged} onClick={reset}>
          Reset to the digest
        </button>
        {trial.isWaiting && <span class="muted">Selecting…</span>}
      </div>
      <Notices of={trial.answer?.warnings ?? []} />
      {trial.failure !== null && <Problem failure={trial.failure} again={() => move({})} />}
    </section>
  );
}
