import { useId } from 'preact/hooks';
import { Select } from '../parts/fields.tsx';
import { strategyIn, strategyOf } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { STRATEGY_GROUPS } from '../parts/strategies.ts';
import { duration, number } from '../parts/words.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { isChanged, type Reselection } from './reselection.ts';

/** Strategies without a language model. */
const TRIED = STRATEGY_GROUPS.filter(({ strategies }) => strategies.every(({ asksModel }) => !asksModel));
const MAX = { weight: 0.95, size: 60, seed: 1e6 };

interface SelectionControlsProps {
  readonly digest: StoredDigest['digest'];
  readonly picked: number;
  readonly trial: Reselection;
}

export function SelectionControls({ digest, picked, trial }: SelectionControlsProps) {
  const own = digest.selection;
  const { changes, selection, move, reset } = trial;
  const strategy = strategyIn(selection);
  const weight = selection.relevance?.weight ?? own.relevance.weight;
  const keyPoints =
    typeof selection.size === 'object' && 'keyPoints' in selection.size
      ? selection.size.keyPoints
      : Math.max(1, picked);
  return (
    <section class="panel map-controls" aria-labelledby="map-controls-title">
      <h2 id="map-controls-title">Try other settings</h2>
      <p class="muted">
        Changes show on the map only. What the reader knows is not stored with a digest, so it does not count here.
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
        onChoose={(chosen) => move({ 'selection.strategy': chosen === own.strategy ? undefined : chosen })}
      />
      <fieldset class="bare" disabled={strategy.asksModel}>
        <legend class="unseen">Settings</legend>
        <Slider
          label="Relevance against variety"
          means="Higher: relevance counts for more."
          range={[0, MAX.weight, 0.05]}
          value={weight}
          said={number(weight)}
          disabled={own.relevance.form !== 'exponential'}
          onMove={(moved) => move({ 'selection.relevance.weight': moved })}
        />
        <Slider
          label="How many key points"
          means={changes['selection.size'] === undefined ? `The digest selected ${picked}.` : 'A fixed number.'}
          range={[1, Math.max(MAX.size, keyPoints), 1]}
          value={keyPoints}
          said={String(keyPoints)}
          disabled={!strategy.sizes.includes('keyPoints')}
          onMove={(moved) => move({ 'selection.size': { keyPoints: moved } })}
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
        <button type="button" disabled={!isChanged(changes)} onClick={reset}>
          Reset to the digest
        </button>
      </div>
      <p class="muted map-latency">
        {trial.isWaiting && <span class="spinner" aria-hidden="true" />}{' '}
        {trial.milliseconds !== null && `Selected in ${duration(trial.milliseconds)}.`}
        {trial.milliseconds === null &&
          trial.isWaiting &&
          'Comparing all key points. The first time takes a few seconds.'}
      </p>
      {trial.picture?.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {trial.failure !== null && <Problem failure={trial.failure} again={trial.again} />}
    </section>
  );
}

interface SliderProps {
  readonly label: string;
  readonly means: string;
  readonly range: readonly [least: number, most: number, step: number];
  readonly value: number;
  readonly said: string;
  readonly disabled: boolean;
  readonly onMove: (value: number) => void;
}

function Slider({ label, means, range: [least, most, step], value, said, disabled, onMove }: SliderProps) {
  const id = useId();
  return (
    <div class="map-control">
      <div class="map-slider-head">
        <label for={id}>{label}</label>
        <output for={id}>{said}</output>
      </div>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={said}
        aria-describedby={`${id}-means`}
        onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
      />
      <p class="muted" id={`${id}-means`}>
        {means}
      </p>
    </div>
  );
}
