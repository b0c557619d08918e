import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import { STRATEGY_GROUPS, strategyOf, takesSize } from '../parts/strategies.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { amount, duration } from './numbers.ts';
import { type Changes, isChanged } from './selection-request.ts';
import { SIGMA_STEPS, sigmaAt, stepOf } from './sigma-scale.ts';
import type { Reselection } from './use-reselection.ts';

/** What can be tried here: a language model is not asked. */
const TRIED = STRATEGY_GROUPS.filter(({ strategies }) => strategies.every(({ asksModel }) => !asksModel));
const MAX_WEIGHT = 0.95;
const MAX_SIZE = 60;
/** What the digest's own seed is changed to for another draw, one after the other. */
const MAX_SEED = 1e6;

interface SelectionControlsProps {
  readonly digest: StoredDigest['digest'];
  /** How many the digest picked. */
  readonly picked: number;
  readonly trial: Reselection;
  /** Whether the intent gives a background, which is not kept with a digest. */
  readonly hasBackground: boolean;
}

/** Options to be moved: each move has the key points selected again. */
export function SelectionControls({ digest, picked, trial, hasBackground }: SelectionControlsProps) {
  const choice = useId();
  const own = digest.selection;
  const { changes, move, reset } = trial;
  const name = changes.strategy ?? own.strategy;
  const strategy = strategyOf(name);
  const isKernelUsed = own.kernel.form === 'gaussian';
  const sigma = changes.sigma ?? own.kernel.sigma ?? 'median';
  const step = sigma === 'median' ? stepOf(own.kernel.sigma ?? 1) : stepOf(sigma);
  return (
    <section class="panel map-controls" aria-labelledby="map-controls-title">
      <h2 id="map-controls-title">Try other settings</h2>
      <p class="muted">Changes show on the map only. The digest stays as it is.</p>
      {strategy.asksModel && (
        <p class="notice">
          A language model selected these key points; it is not asked again here. Choose another strategy to compare,
          such as “{strategyOf('dpp-map').title}”.
        </p>
      )}
      {hasBackground && (
        <p class="muted">What the reader knows is not stored with a digest, so it does not count here.</p>
      )}
      <div class="map-control">
        <label>
          Strategy
          <select
            value={name}
            aria-describedby={choice}
            onChange={({ currentTarget }) => {
              const chosen = TRIED.flatMap((group) => group.strategies).find(
                (each) => each.name === currentTarget.value,
              );
              move({ strategy: chosen?.name === own.strategy ? undefined : chosen?.name });
            }}
          >
            {strategy.asksModel && <option value={name}>{strategy.title}</option>}
            {TRIED.map(({ title, strategies }) => (
              <optgroup key={title} label={title}>
                {strategies.map((each) => (
                  <option key={each.name} value={each.name}>
                    {each.title}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <p class="muted" id={choice}>
          {strategy.line}
        </p>
      </div>
      <fieldset class="map-sliders" disabled={strategy.asksModel}>
        <legend class="unseen">Settings</legend>
        <Slider
          label="Relevance against variety"
          means="Higher: relevance counts for more."
          least={0}
          most={MAX_WEIGHT}
          step={0.05}
          value={changes.weight ?? own.relevance.weight}
          said={amount(changes.weight ?? own.relevance.weight)}
          disabled={own.relevance.form !== 'exponential'}
          onMove={(weight) => move({ weight })}
        />
        <Slider
          label="Similarity radius (sigma)"
          means="Higher: looser matches count as repetition."
          least={0}
          most={SIGMA_STEPS}
          step={1}
          value={step}
          said={sigma === 'median' ? 'median' : amount(sigma)}
          disabled={!isKernelUsed || sigma === 'median'}
          onMove={(at) => move({ sigma: sigmaAt(at) })}
        >
          <label class="map-check">
            <input
              type="checkbox"
              checked={sigma === 'median'}
              disabled={!isKernelUsed}
              onChange={({ currentTarget }) => move({ sigma: currentTarget.checked ? 'median' : undefined })}
            />
            Use the median distance between key points
          </label>
        </Slider>
        <Slider
          label="How many key points"
          means={sizeInWords(own.size, changes, picked)}
          least={1}
          most={Math.max(MAX_SIZE, sizeOf(own.size, picked))}
          step={1}
          value={changes.keyPoints ?? sizeOf(own.size, picked)}
          said={String(changes.keyPoints ?? sizeOf(own.size, picked))}
          disabled={!takesSize(name, 'keyPoints')}
          onMove={(keyPoints) => move({ keyPoints })}
        />
      </fieldset>
      <div class="actions">
        {strategy.isSampled && (
          <button type="button" onClick={() => move({ seed: ((changes.seed ?? own.seed) + 1) % MAX_SEED })}>
            Draw again
          </button>
        )}
        <button type="button" disabled={!isChanged(changes)} onClick={reset}>
          Reset to the digest
        </button>
      </div>
      <Progress trial={trial} />
      {trial.picture?.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {trial.failure !== null && <Problem failure={trial.failure} again={trial.again} />}
    </section>
  );
}

/** What is under way, and how long the last took. */
function Progress({ trial: { isWaiting, milliseconds } }: { readonly trial: Reselection }) {
  if (milliseconds === null) {
    return (
      <p class="muted map-latency">
        {isWaiting && (
          <>
            <span class="spinner" aria-hidden="true" /> Comparing all key points. The first time takes a few seconds.
          </>
        )}
      </p>
    );
  }
  return (
    <p class={`muted map-latency ${isWaiting ? 'map-waiting' : ''}`}>
      {isWaiting && <span class="spinner" aria-hidden="true" />} Selected in {duration(milliseconds)}.
    </p>
  );
}

type Size = StoredDigest['digest']['selection']['size'];

function sizeOf(size: Size, picked: number): number {
  const asked = size !== null && size !== 'auto' && 'keyPoints' in size ? size.keyPoints : picked;
  return Math.max(1, asked);
}

function sizeInWords(size: Size, { keyPoints }: Changes, picked: number): string {
  if (keyPoints !== undefined) return 'A fixed number, however many words it takes.';
  if (size === null) return 'The strategy of the digest decides this.';
  if (size === 'auto') return `The digest selected ${picked}.`;
  return 'words' in size ? `The digest selected what fits in ${size.words} words.` : 'As requested for the digest.';
}

interface SliderProps {
  readonly label: string;
  /** What moving it does, in a sentence. */
  readonly means: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
  /** The value as it is read. */
  readonly said: string;
  readonly disabled: boolean;
  readonly onMove: (value: number) => void;
  readonly children?: ComponentChildren;
}

/** A number to be moved, with its value beside it and what it does below. */
function Slider({ label, means, least, most, step, value, said, disabled, onMove, children }: SliderProps) {
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
      {children}
    </div>
  );
}
