import { useId } from 'preact/hooks';
import type { Readiness } from '../../contract/index.ts';
import { Choice } from './choice.tsx';

interface EncoderFieldProps {
  readonly value: string | undefined;
  readonly onChange: (encoder: string | undefined) => void;
  readonly offer: Readiness | null;
}

/** From the service's list where it is known, and typed where it is not. */
export function EncoderField({ value, onChange, offer }: EncoderFieldProps) {
  const hint = useId();
  const explained = 'Decides which key points say the same.';
  if (offer !== null && (value === undefined || offer.encoders.includes(value))) {
    return (
      <Choice label="Encoder" value={value ?? ''} onChoose={(chosen) => onChange(chosen || undefined)} hint={explained}>
        <option value="">Default: {offer.encoder}</option>
        {offer.encoders.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Choice>
    );
  }
  return (
    <div class="options-field">
      <label>
        Encoder
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          placeholder="default"
          value={value ?? ''}
          aria-describedby={hint}
          onInput={({ currentTarget }) => onChange(currentTarget.value.trim() || undefined)}
        />
      </label>
      <p id={hint} class="muted">
        {explained}
      </p>
    </div>
  );
}
