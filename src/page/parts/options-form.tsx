import type { DigestOptions } from '../digest-options.ts';
import { otherOptions, withoutOthers } from './change-options.ts';
import { EngineFields } from './engine-fields.tsx';
import './options-form.css';
import { SeedAndWeight, SelectionFields, Ways } from './selection-fields.tsx';
import { useServiceOffer } from './service-offer.ts';
import { SummaryFields } from './summary-fields.tsx';

/** What fields of options are given: the options, and who is told of changed ones. */
export interface OptionsProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
}

/** How a digest is made: what is left alone is the service's default, and is not sent. */
export function OptionsForm({ value, onChange, legend }: OptionsProps & { readonly legend: string }) {
  const offer = useServiceOffer();
  const others = otherOptions(value);
  return (
    <fieldset class="options">
      <legend>{legend}</legend>
      <div class="options-fields">
        <SelectionFields value={value} onChange={onChange} offer={offer} />
        <SummaryFields value={value} onChange={onChange} />
      </div>
      <Ways />
      <details class="options-more">
        <summary>More options</summary>
        <div class="options-fields">
          <SeedAndWeight value={value} onChange={onChange} />
          <EngineFields value={value} onChange={onChange} offer={offer} />
        </div>
      </details>
      {others.length > 0 && (
        <div class="options-others">
          <p>Also set:</p>
          <ul>
            {others.map((each) => (
              <li key={each.name}>
                <code>
                  {each.name} = {each.value}
                </code>
              </li>
            ))}
          </ul>
          <button type="button" class="plain" onClick={() => onChange(withoutOthers(value))}>
            Take these off
          </button>
        </div>
      )}
      {Object.keys(value).length > 0 && (
        <button type="button" class="plain" onClick={() => onChange({})}>
          Back to the defaults
        </button>
      )}
    </fieldset>
  );
}
