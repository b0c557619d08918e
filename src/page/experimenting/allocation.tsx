import type { Experiment, ExperimentResults } from '../../client/client.ts';
import { tellOptions } from '../comparing/words-of-options.ts';
import { counted, percent, short } from './results-words.ts';

interface AllocationProps {
  readonly experiment: Experiment;
  readonly results: ExperimentResults | null;
}

/** Who gets what: the variants with their shares, as planned and as they came, and what each sets. */
export function Allocation({ experiment, results }: AllocationProps) {
  const { variants, traffic, layer } = experiment;
  const exposed = results?.exposed ?? 0;
  return (
    <section class="exp-part" aria-labelledby="exp-variants">
      <h2 id="exp-variants">Variants</h2>
      <ul class="exp-allocation">
        {variants.map(({ name, weight, options }, place) => {
          const seen = results?.sampleRatio.observed.find(({ variant }) => variant === name)?.subjects ?? 0;
          return (
            <li key={name}>
              <p>
                <strong>{name}</strong>
                {place === 0 && name !== 'control' && <span class="muted"> (control)</span>}: {percent(weight)} planned
                {exposed > 0 && `, ${counted(seen, 'reader')} so far (${percent(seen / exposed)})`}
              </p>
              <svg width="100%" height={18} aria-hidden="true" focusable="false">
                <rect class="exp-track" x="0" y="0" width="100%" height="18" rx="3" />
                <rect
                  class={place === 0 ? 'exp-bar control' : 'exp-bar'}
                  x="0"
                  y="0"
                  width={`${100 * (exposed > 0 ? seen / exposed : weight)}%`}
                  height="18"
                  rx="3"
                />
                {/* A line of two colours is seen on the bar and beside it. */}
                <line class="exp-planned-under" x1={`${100 * weight}%`} x2={`${100 * weight}%`} y1="0" y2="18" />
                <line class="exp-planned" x1={`${100 * weight}%`} x2={`${100 * weight}%`} y1="0" y2="18" />
              </svg>
              <p class="muted">{tellSet(options)}</p>
            </li>
          );
        })}
      </ul>
      <p class="muted">
        {exposed > 0 && 'Bars: readers so far. Lines: as planned. '}
        {traffic < 1 ? `${percent(traffic)} of all readers take part. ` : 'All readers may take part. '}
        {layer !== null &&
          `It uses the part from ${short(layer.from)} to ${short(layer.to)} of the layer “${layer.key}”, which other experiments of the layer leave alone.`}
      </p>
    </section>
  );
}

function tellSet(options: object): string {
  const told = tellOptions(options);
  return told === null ? 'Sets nothing: digests as requests ask for them.' : `${told}.`;
}
